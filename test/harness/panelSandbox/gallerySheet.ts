import type { PanelSandbox } from './sandbox';

/** A picture and its size in CSS pixels. */
export interface SheetPart {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
}

const GAP = 12;
const GREY = '#808080';

/** Four pictures on one: narrow ones in a row, wide ones two by two. @param scale of each picture */
export async function drawSheet(
  sandbox: PanelSandbox,
  parts: readonly SheetPart[],
  scale: number,
): Promise<Uint8Array> {
  const [first] = parts;
  if (first === undefined) throw new RangeError('a sheet of nothing');
  const columns = first.width > 700 ? 2 : parts.length;
  const rows = Math.ceil(parts.length / columns);
  const width = columns * (first.width * scale + GAP) + GAP;
  const height = rows * (first.height * scale + GAP) + GAP;
  const images = parts
    .map((part) => {
      const source = `data:image/png;base64,${Buffer.from(part.png).toString('base64')}`;
      return `<img src="${source}" width="${part.width * scale}" height="${part.height * scale}">`;
    })
    .join('');
  return sandbox.drawHtml(
    `<body style="margin:0;padding:${GAP}px;background:${GREY};display:grid;gap:${GAP}px;grid-template-columns:repeat(${columns},max-content)">${images}</body>`,
    { width, height },
  );
}
