import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatFailures, tryReadFailures, tryReadOutput } from '../../../src/editor/testFailures';

const TWO = `<testFailure name="adds \\"two\\"" path="cart > totals">
<message>
boom
 over lines
</message>
<stackFrame path="/w/a.ts" line="9" col="2" />
<location path="/w/b.ts" line="3" col="4" />
</testFailure>
<testFailure name="alone" path="">
<expectedOutput>
3
</expectedOutput>
<actualOutput>
</testFailure> inside
</actualOutput>
<stackFrame>a label</stackFrame>
</testFailure>
`;

test('failures are read with suite, message and place, and told in two lines each', () => {
  const failures = tryReadFailures(TWO);
  assert.ok(failures);
  assert.deepEqual(
    failures.map(({ name, suite, place }) => [
      name,
      suite,
      place?.file,
      place?.line,
      place?.column,
    ]),
    [
      ['adds "two"', 'cart > totals', '/w/b.ts', 3, 4],
      ['alone', '', undefined, undefined, undefined],
    ],
  );
  assert.equal(
    formatFailures(failures, (file) => file.slice(3)),
    '2 failed tests\ncart > totals > adds "two" b.ts:3:4\n boom over lines\nalone\n failed without a message',
  );
});

test('of the places of a failure one in the workspace is told, where there is one', () => {
  const failed = (...places: readonly string[]): string =>
    `<testFailure name="a" path="">\n<message>\nboom\n</message>\n${places
      .map((place) => `<${place}" line="9" col="2" />\n`)
      .join('')}</testFailure>\n`;
  const library = 'stackFrame path="/usr/lib/case.py';
  const cases = [
    [[library, 'stackFrame path="/w/a.py', 'stackFrame path="/w/b.py'], '/w/a.py'],
    [[library, 'location path="/usr/lib/b.py', 'stackFrame path="/w/a.py'], '/w/a.py'],
    [['stackFrame path="/w/a.py', 'location path="/w/b.py'], '/w/b.py'],
    [[library], '/usr/lib/case.py'],
  ] as const;
  for (const [places, expected] of cases) {
    const [one] = tryReadFailures(failed(...places), (file) => file.startsWith('/w/')) ?? [];
    assert.equal(one?.place?.file, expected);
  }
});

test('a run without failures is told as one of which nothing is known, and a text of another shape is not read', () => {
  assert.deepEqual(tryReadFailures(''), []);
  assert.deepEqual(tryReadFailures('<output>\nall fine\n</output>\n'), []);
  assert.equal(tryReadFailures('No test failures were found yet'), undefined);
  assert.equal(
    formatFailures([], (file) => file),
    'no failure was told of the last run. It need not be a success: the editor does not tell whether tests passed, were skipped or never ran',
  );
});

test('failures that are kept back are counted, alone and beside others', () => {
  const shown = (file: string): string => file;
  assert.equal(formatFailures([], shown, 1), '1 failed test, all left out');
  assert.equal(formatFailures([], shown, 3), '3 failed tests, all left out');
  const told = formatFailures(tryReadFailures(TWO) ?? [], shown, 3);
  assert.match(told, /^5 failed tests\ncart > totals > adds/);
  assert.doesNotMatch(told, /left/);
});

test('the output of a run without failures is read', () => {
  assert.equal(tryReadOutput('<output>\ncannot find it\r\n</output>\n'), 'cannot find it\r');
  assert.equal(tryReadOutput('<output>\none\ntwo'), 'one\ntwo');
  assert.equal(tryReadOutput(''), undefined);
});

test('many failures stay within a result', () => {
  const one = (index: number): string =>
    `<testFailure name="t${index}" path="${'s'.repeat(300)}">\n<message>\n${'m'.repeat(2_000)}\n</message>\n</testFailure>\n`;
  const text = Array.from({ length: 500 }, (_, index) => one(index)).join('');
  const failures = tryReadFailures(text);
  assert.equal(failures?.length, 500);
  const shown = formatFailures(failures, (file) => file);
  assert.ok(shown.length <= 6_000, `${shown.length}`);
  assert.match(shown, /^500 failed tests\n/);
  assert.match(shown, /\nleft: \d+ failed tests$/);
});
