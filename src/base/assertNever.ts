/** Makes a `switch` exhaustive: a new kind fails to compile here, and fails loudly at run time. */
export function assertNever(value: never, what = 'value'): never {
  throw new Error(`Unexpected ${what}: ${JSON.stringify(value)}`);
}
