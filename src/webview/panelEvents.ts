import { isWrapped, setWrapped } from './codeWrap';
import { isImeKey } from './composerKeys';
import { wholeCode } from './cutCode';
import type { Panel } from './panelContext';
import { type CodeAction, codeActionOf } from './sanitize';
import { jumpByPrompt } from './useReading';
import { isRunning } from './words';

/** Ctrl+F finds. Escape closes the search, else stops a running turn, unless a picker is open or an input method has the key. */
export function panelKeyDown(event: KeyboardEvent, panel: Panel): void {
  if (isFindKey(event)) {
    event.preventDefault();
    panel.find.open();
    return;
  }
  const by = promptKey(event);
  if (by !== undefined) {
    event.preventDefault();
    jumpByPrompt(panel, by);
    return;
  }
  if (event.key !== 'Escape' || event.defaultPrevented || isImeKey(event)) return;
  // From elsewhere too, as in the editor: else nothing would come of the key.
  if (panel.find.isOpen.value) {
    event.preventDefault();
    panel.find.close();
    return;
  }
  if (panel.openPopups.value > 0 || !isRunning(panel.store.current.status)) return;
  event.preventDefault();
  // Held down, it has closed something that was open.
  if (!event.repeat) panel.post({ type: 'stop' });
}

/** Alt+Up and Alt+Down go through the person's own messages. */
function promptKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): 1 | -1 | undefined {
  if (!altKey || ctrlKey || metaKey || shiftKey) return undefined;
  return key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : undefined;
}

/** Ctrl+F, or Cmd+F, as everywhere in the editor. */
function isFindKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'f' && (ctrlKey || metaKey) && !altKey && !shiftKey;
}

/**
 * Links and the buttons of code inside rendered markdown. The editor's own click handler sits on the
 * document and must not see a link: the host opens it, after a check.
 */
export function panelClick(event: MouseEvent, panel: Panel): void {
  if (!(event.target instanceof Element)) return;
  const link = event.target.closest('a[href]');
  if (link) {
    event.preventDefault();
    event.stopPropagation();
    // The address as the model wrote it; `href` may be a harmless form of it.
    const href = link.getAttribute('data-href') ?? link.getAttribute('href') ?? '';
    if (event.button <= 1 && href !== '') panel.post({ type: 'openLink', href });
    return;
  }
  const pressed = codeActionOf(event.target);
  if (pressed) codeAction(pressed.action, pressed.box, panel);
}

function codeAction(action: CodeAction, box: Element, { post }: Panel): void {
  if (action === 'wrap') {
    setWrapped(box, !isWrapped(box));
    return;
  }
  const code = box.querySelector('pre');
  if (!code) return;
  const text = (wholeCode(box) ?? '').replace(/\n$/, '');
  if (action === 'copy') post({ type: 'copy', text });
  else if (action === 'insert') post({ type: 'insertCode', text });
  else post({ type: 'openCode', text, language: languageOf(code) });
}

/** As the fence names it; empty where it does not. */
function languageOf(code: Element): string {
  const name = code.querySelector('code')?.className ?? '';
  return /(?:^|\s)language-([\w+#.-]{1,40})/.exec(name)?.[1] ?? '';
}
