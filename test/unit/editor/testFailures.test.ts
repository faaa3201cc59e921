import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatFailures, tryReadFailures } from '../../../src/editor/testFailures';

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

test('a run without failures is told as such, and a text of another shape is not read', () => {
  assert.deepEqual(tryReadFailures(''), []);
  assert.deepEqual(tryReadFailures('<output>\nall fine\n</output>\n'), []);
  assert.equal(tryReadFailures('No test failures were found yet'), undefined);
  assert.equal(
    formatFailures([], (file) => file),
    'no failed test in the last run',
  );
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
