const WRAPPED = 'md-code-wrapped';

/** Whether long lines of a block of code go on in the next one; its button says so. */
export function setWrapped(box: Element, isOn: boolean): void {
  box.classList.toggle(WRAPPED, isOn);
  box.querySelector('.md-code-wrap')?.setAttribute('aria-pressed', String(isOn));
}

export function isWrapped(box: Element): boolean {
  return box.classList.contains(WRAPPED);
}

/** Draws what stands in an element anew, in which code that was wrapped stays so. */
export function keepWrapped(root: Element, draw: () => void): void {
  const boxes = [...root.querySelectorAll(`.${WRAPPED}`)];
  draw();
  for (const box of boxes) {
    if (root.contains(box) && box.matches('.md-code')) setWrapped(box, true);
  }
}
