import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { isSymbolName } from '../chat/symbolProtocol';
import { usePanel } from './panelContext';
import type { SymbolModel } from './symbolModel';

const LINK = 'symbol-link';

/**
 * Makes links of the code in answers that names something of the workspace. Nothing is asked while
 * text comes: a name is looked up when the pointer is over it, and those in sight when the focus
 * comes into the conversation, so that Tab finds them.
 */
export function useSymbols(content: RefObject<HTMLElement | null>): void {
  const { symbols } = usePanel();
  useLayoutEffect(() => {
    const root = content.current;
    const log = root?.closest<HTMLElement>('[role="log"]');
    if (!root || !log) return undefined;
    const point = (event: Event): void => {
      const code = codeAt(event.target);
      if (!code) return;
      symbols.want([code.textContent]);
      draw(code, symbols);
    };
    const focus = (): void => {
      const codes = codesInSight(log);
      symbols.want(codes.map((code) => code.textContent));
      for (const code of codes) draw(code, symbols);
    };
    const press = (event: MouseEvent): void => {
      const code = codeAt(event.target);
      // Whoever selects a part of the text does not want to go away from it.
      if (code && getSelection()?.isCollapsed !== false) symbols.press(code.textContent);
    };
    const key = (event: KeyboardEvent): void => {
      const code = event.key === 'Enter' ? codeAt(event.target) : undefined;
      if (!code) return;
      event.preventDefault();
      symbols.press(code.textContent);
    };
    const answered = symbols.onAnswer(() => {
      for (const code of codesIn(root)) draw(code, symbols);
    });
    root.addEventListener('pointerover', point);
    log.addEventListener('focusin', focus);
    root.addEventListener('click', press);
    root.addEventListener('keydown', key);
    return () => {
      answered();
      root.removeEventListener('pointerover', point);
      log.removeEventListener('focusin', focus);
      root.removeEventListener('click', press);
      root.removeEventListener('keydown', key);
    };
  }, [content, symbols]);
}

/** What is drawn anew while text comes loses its link until somebody looks at it again. */
function draw(code: HTMLElement, symbols: SymbolModel): void {
  if (!symbols.isLink(code.textContent) || code.classList.contains(LINK)) return;
  code.classList.add(LINK);
  code.setAttribute('role', 'link');
  code.tabIndex = 0;
  code.title = l10n.t('Go to the definition');
}

function codeAt(target: EventTarget | null): HTMLElement | undefined {
  if (!(target instanceof Element)) return undefined;
  const code = target.closest<HTMLElement>('.assistant .text code');
  return code && isCitation(code) ? code : undefined;
}

function codesIn(root: ParentNode): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>('.assistant .text code')].filter(isCitation);
}

function codesInSight(log: HTMLElement): HTMLElement[] {
  const { top, bottom } = log.getBoundingClientRect();
  return codesIn(log).filter((code) => {
    const box = code.getBoundingClientRect();
    return box.bottom > top && box.top < bottom;
  });
}

/** Code in words, and not what is a block of its own or a link already. */
function isCitation(code: HTMLElement): boolean {
  return code.closest('pre, a') === null && isSymbolName(code.textContent);
}
