// @ts-check
/**
 * A reporter for node:test that writes one JSON line per test: `{ title, ok, error?, file? }`, the
 * file where it failed.
 * Suites and the files of a run are no tests; one that failed to load is.
 *
 * @param {AsyncIterable<{ type: string, data: any }>} source
 */
// node:test takes a reporter by its module's default export.
export default async function* countReporter(source) {
  for await (const { type, data } of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const failed = type === 'test:fail';
    const isFile = data.nesting === 0 && data.file !== undefined && data.name === data.file;
    if (!failed && (data.details?.type === 'suite' || isFile)) continue;
    // A suite that failed because of its tests would count them twice.
    if (failed && data.details?.error?.failureType === 'subtestsFailed') continue;
    // A skipped test proves nothing, so it does not count as passed.
    const skipped = data.skip !== undefined || data.todo !== undefined;
    const error = failed
      ? String(data.details?.error?.cause?.message ?? data.details?.error)
      : skipped
        ? 'skipped'
        : undefined;
    const file = failed ? data.file : undefined;
    yield `${JSON.stringify({ title: data.name, ok: !failed && !skipped, error, file })}\n`;
  }
}
