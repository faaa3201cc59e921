import { dragOver, drop, type Given, paste } from '../../harness/panelSandbox/giveFiles';
import type { Product } from '../../harness/product/product';

/** As a browser hands over what is pasted into the message box of the side bar. */
export const pasteInto = ({ frame }: Product, given: Given): Promise<boolean> =>
  paste({ page: frame }, given);

/** Holds it over the chat in the side bar, and lets it fall. */
export async function dropInto({ frame, page }: Product, given: Given): Promise<boolean> {
  await dragOver({ page: frame }, given);
  const isTaken = await drop({ page: frame }, given);
  // While something is dragged VS Code keeps the mouse from its views, until it moves with no button.
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  for (const by of [0, 5]) await page.mouse.move(width / 2 + by, height / 2);
  return isTaken;
}
