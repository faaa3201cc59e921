/** Waits until the condition holds; throws after `timeout` milliseconds, an upper bound for a busy machine. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  timeout = 60_000,
): Promise<void> {
  const end = Date.now() + timeout;
  while (!(await condition())) {
    if (Date.now() > end)
      throw new Error(`Still not true after ${timeout} ms: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
