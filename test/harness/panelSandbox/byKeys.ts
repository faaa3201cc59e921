import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ViewState } from '../../../src/chat/viewStateProtocol';
import { Hands } from './hands';
import type { panelFixture } from './panelFixture';
import type { SandboxPanel } from './sandbox';

/** Tests of what is done by keys alone, and a check that all of `table` is. */
export function byKeysFixture<What extends string>(
  withPanel: ReturnType<typeof panelFixture>['withPanel'],
  table: Readonly<Record<What, unknown>>,
) {
  const done = new Set<string>();

  /** The focus is never on nothing, in no frame. */
  function byKeys(
    title: string,
    what: readonly What[],
    state: () => ViewState,
    use: (panel: SandboxPanel, hands: Hands) => Promise<void>,
  ): void {
    test(`by keys alone: ${title}`, async () => {
      await withPanel(state(), {}, async (panel) => {
        const hands = await Hands.on(panel);
        await use(panel, hands);
        assert.deepEqual(await hands.lost(), [], 'the focus was lost');
      });
    });
    for (const one of what) done.add(one);
  }

  /** To be called behind all others. */
  function checkAllDone(): void {
    test('every function of the table is done by keys in this file', () => {
      assert.deepEqual(
        Object.keys(table).filter((one) => !done.has(one)),
        [],
      );
    });
  }

  return { byKeys, checkAllDone };
}

export const set = (panel: SandboxPanel, fields: Partial<ViewState>): Promise<void> =>
  panel.patch({ op: 'set', fields });

export const atMessage = (hands: Hands): Promise<void> => hands.at('textbox', 'Message');
