import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { Locator } from 'playwright-core';
import type { ViewState } from '../../../src/chat/viewStateProtocol';
import { PanelSandbox, type PanelOptions, type SandboxPanel } from './sandbox';

/** One browser for a file of tests, and a fresh document for each use. */
export function panelFixture() {
  let sandbox: PanelSandbox | undefined;
  before(async () => {
    sandbox = await PanelSandbox.startReusing();
  });
  after(() => sandbox?.close());

  /** Opens a panel, uses it, and checks that nothing in it was logged as an error. */
  async function withPanel(
    state: ViewState,
    options: PanelOptions,
    use: (panel: SandboxPanel) => Promise<void>,
  ): Promise<void> {
    assert.ok(sandbox);
    const panel = await sandbox.open(state, options);
    try {
      await use(panel);
      assert.deepEqual(panel.errors, []);
      assert.deepEqual(panel.sent('viewError'), []);
    } finally {
      await panel.close();
    }
  }

  return { withPanel, message, overflows };
}

function message(panel: SandboxPanel): Locator {
  return panel.page.getByRole('textbox', { name: 'Message', exact: true });
}

/** Whether anything but code and tables, in their own boxes, is wider than the panel. */
async function overflows(panel: SandboxPanel): Promise<boolean> {
  return panel.page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('.scroller, .bottom, .header')].some(
      (element) => element.scrollWidth > element.clientWidth,
    ),
  );
}
