import type { Locator } from 'playwright-core';
import type { Product } from './product';

/** Opens the dialog of past conversations. */
export async function openConversations({ frame }: Pick<Product, 'frame'>): Promise<Locator> {
  await frame.getByRole('button', { name: 'Conversations', exact: true }).click();
  return frame.getByRole('dialog', { name: 'Conversations', exact: true });
}
