import type { Locator } from 'playwright-core';

/** Where a panel is drawn: a page, or the inside of a frame. */
interface Drawn {
  locator(selector: string): Locator;
}

export interface FileOfTest {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

export interface Given {
  readonly files?: readonly FileOfTest[];
  /** Kind to text, such as `text/plain`. */
  readonly texts?: Readonly<Record<string, string>>;
}

/** Pastes into the message box. Gives back whether the panel took it, rather than the box. */
export function paste(panel: { readonly page: Drawn }, given: Given): Promise<boolean> {
  return give(panel, 'paste', 'textarea.message', given);
}

/** Holds it over the panel; {@link drop} lets it fall. */
export function dragOver(panel: { readonly page: Drawn }, given: Given): Promise<boolean> {
  return give(panel, 'dragenter', 'main', given);
}

export async function drop(panel: { readonly page: Drawn }, given: Given): Promise<boolean> {
  await give(panel, 'dragover', 'main', given);
  return give(panel, 'drop', 'main', given);
}

function give(
  { page }: { readonly page: Drawn },
  event: 'paste' | 'dragenter' | 'dragover' | 'drop',
  target: string,
  { files = [], texts = {} }: Given,
): Promise<boolean> {
  const inBase64 = files.map(({ name, type, bytes }) => ({
    ...{ name, type, data: bytes.toString('base64') },
  }));
  return page.locator(target).evaluate(
    (element, { event, inBase64, texts }) => {
      const data = new DataTransfer();
      for (const [kind, text] of Object.entries(texts)) data.setData(kind, text);
      for (const file of inBase64) {
        const bytes = Uint8Array.from(atob(file.data), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], file.name, { type: file.type }));
      }
      const how = { bubbles: true, cancelable: true };
      const made =
        event === 'paste'
          ? new ClipboardEvent(event, { ...how, clipboardData: data })
          : new DragEvent(event, { ...how, dataTransfer: data });
      return !element.dispatchEvent(made);
    },
    { event, inBase64, texts },
  );
}
