/** Waits until the condition holds; throws after `timeout` milliseconds. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  timeout = 10_000,
): Promise<void> {
  const end = Date.now() + timeout;
  while (!(await condition())) {
    if (Date.now() > end)
      throw new Error(`Still not true after ${timeout} ms: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
