/** Titles of our own tools by their name on the wire; a `Map`, or anything that looks them up. */
export interface ToolTitles {
  get(wireName: string): string | undefined;
}
