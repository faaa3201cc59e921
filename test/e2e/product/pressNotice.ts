import type { Locator } from 'playwright-core';
import { eventually } from '../../harness/panelSandbox/eventually';
import type { Product } from '../../harness/product/product';
import { runCommand } from '../../harness/workbench';

/** Presses a button of a notification. */
export async function pressNotice({ page }: Product, toast: Locator, name: string): Promise<void> {
  const button = toast.getByRole('button', { name, exact: true }).first();
  // A toast goes by itself after some seconds; what it says is then in the list of all of them.
  await eventually(async () => {
    if (!(await button.isVisible())) await runCommand(page, 'Notifications: Show Notifications');
    return button.click({ timeout: 5_000 }).then(
      () => true,
      () => false,
    );
  });
}
