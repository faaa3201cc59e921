/** Browsers without `field-sizing` need the height of a box set by hand; CSS holds the limit. */
export function growBox(box: HTMLTextAreaElement | null): void {
  if (!box || CSS.supports('field-sizing', 'content')) return;
  box.style.height = 'auto';
  box.style.height = `${box.scrollHeight}px`;
}
