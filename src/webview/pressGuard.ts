/**
 * One press is for one button. The second click of a double click, and Enter that is held down, were
 * meant for what was there before: a row that goes, a request that is granted, or Send, in whose place
 * stands Stop, must not hand them on to what nobody has looked at. A button with `data-once` does not
 * take them itself either.
 */
export class PressGuard {
  #clicked: Element | null = null;
  #entered: Element | null = null;

  /** Of the capturing phase, before any button hears it. */
  readonly click = (event: MouseEvent): void => {
    const button = buttonOf(event);
    if (event.detail <= 1) this.#clicked = button;
    else if (isForOther(button, this.#clicked)) refuse(event);
  };

  readonly key = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    const button = buttonOf(event);
    if (!event.repeat) this.#entered = button;
    else if (isForOther(button, this.#entered)) refuse(event);
  };
}

function isForOther(button: HTMLElement | null, pressed: Element | null): boolean {
  return button !== null && (button !== pressed || button.dataset.once !== undefined);
}

function buttonOf({ target }: Event): HTMLElement | null {
  return target instanceof Element ? target.closest('button') : null;
}

function refuse(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
