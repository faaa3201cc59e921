import type { Product } from '../../harness/product/product';

/** Begins a new conversation in the side bar, and waits until it is there. */
export async function begin({ frame, panel }: Product): Promise<void> {
  await frame.getByRole('button', { name: 'New conversation', exact: true }).click();
  await panel.articles('You').first().waitFor({ state: 'detached' });
}
