import { isImeKey } from './composerKeys';
import type { Panel } from './panelContext';
import { isRunning } from './words';

/** Escape stops a running turn, unless a picker is open or an input method has the key. */
export function panelKeyDown(event: KeyboardEvent, panel: Panel): void {
  if (event.key !== 'Escape' || event.defaultPrevented || isImeKey(event)) return;
  if (panel.openPopups.value > 0 || !isRunning(panel.store.current.status)) return;
  event.preventDefault();
  panel.post({ type: 'stop' });
}

/**
 * Links and copy buttons inside rendered markdown. The editor's own click handler sits on the
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
  const copy = event.target.closest('.md-copy');
  const code = copy?.parentElement?.querySelector('pre');
  if (code) panel.post({ type: 'copy', text: code.textContent.replace(/\n$/, '') });
}
