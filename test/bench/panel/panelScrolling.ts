import { longTalk } from '../../harness/panelSandbox/longTalk';
import type { PanelSandbox } from '../../harness/panelSandbox/sandbox';

/** Scrolls through all of a long conversation, from its end to its start, a step each frame. */
export async function scrollToStart(
  sandbox: PanelSandbox,
  turns: number,
): Promise<{ readonly missing: number; readonly longestBlankMs: number }> {
  const state = longTalk(turns);
  const panel = await sandbox.open(state);
  try {
    await panel.page.locator(`[data-row="a${turns - 1}"]`).waitFor();
    const { seen, longestBlankMs } = await panel.page.evaluate(walkBack);
    const ids = new Set(seen);
    return { missing: state.items.filter(({ id }) => !ids.has(id)).length, longestBlankMs };
  } finally {
    await panel.close();
  }
}

/** Runs in the page. */
export async function walkBack(): Promise<{
  /** Names of the rows that came into sight. */
  readonly seen: readonly string[];
  readonly longestBlankMs: number;
}> {
  const scroller = document.querySelector('.scroller');
  if (!scroller) throw new Error('There is no transcript');
  const { top, bottom } = scroller.getBoundingClientRect();
  const ids = new Set<string>();
  // In pixels, and less than a view, so that each message is in sight in some frame.
  const step = Math.min(700, scroller.clientHeight * 0.9);
  const isInSight = (element: Element): boolean => {
    const box = element.getBoundingClientRect();
    return box.bottom > top && box.top < bottom && box.height > 0;
  };
  let blankSince: number | undefined;
  let longestBlankMs = 0;
  for (;;) {
    const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    for (const row of document.querySelectorAll<HTMLElement>('[data-row]')) {
      if (isInSight(row)) ids.add(row.dataset.row ?? '');
    }
    if ([...document.querySelectorAll('.gap')].some(isInSight)) {
      blankSince ??= now;
      longestBlankMs = Math.max(longestBlankMs, now - blankSince);
    } else blankSince = undefined;
    if (scroller.scrollTop === 0) return { seen: [...ids], longestBlankMs };
    scroller.scrollTop -= step;
  }
}
