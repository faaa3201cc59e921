import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chooseAction } from '../../../src/editor/chooseAction';
import { formatActions, formatCandidates } from '../../../src/editor/formatActions';

const offered = ['Add import', 'Add all imports', 'Extract'].map((title) => ({ title }));

test('an action is chosen by its title, or by a part that only one has', () => {
  const titleOf = (wanted: string): string => {
    const chosen = chooseAction(wanted, offered, undefined);
    return chosen.ok ? chosen.action.title : chosen.why;
  };
  assert.equal(titleOf('Add import'), 'Add import');
  assert.equal(titleOf('extract'), 'Extract');
  assert.equal(titleOf('add'), "2 actions have 'add' in their titles");
  assert.equal(titleOf('rename'), "no action has 'rename' in its title");
  assert.deepEqual(chooseAction('x', [], undefined), {
    ok: false,
    why: 'no action is offered there',
  });
});

test('a number means the list that was told, also where the offer has changed since', () => {
  const told = ['Extract', 'Gone', 'Add import'];
  const choose = (wanted: string, list?: readonly string[]) => chooseAction(wanted, offered, list);
  assert.deepEqual(choose('1', told), { ok: true, action: { title: 'Extract' } });
  assert.deepEqual(choose('2', told), { ok: false, why: "'Gone' is offered no more" });
  assert.deepEqual(choose('9', told), { ok: false, why: 'the list had 3 actions' });
  assert.deepEqual(choose('1'), { ok: false, why: 'no list was given for this place yet' });
});

describe('of actions with equal titles', () => {
  const equal = [
    { title: 'Remove', at: 1 },
    { title: 'Other', at: 5 },
    { title: 'Remove', at: 20 },
    { title: 'Remove all', at: 0 },
  ];
  const told = equal.map(({ title }) => title);

  test('each is chosen by its own number', () => {
    equal.forEach((action, index) => {
      assert.deepEqual(chooseAction(`${index + 1}`, equal, told), { ok: true, action });
    });
  });

  test('the title means none of them, and they are told', () => {
    assert.deepEqual(chooseAction('Remove', equal, told), {
      ok: false,
      why: "2 actions are called 'Remove'",
      candidates: [0, 2],
    });
    assert.deepEqual(chooseAction('Remove all', equal, told), { ok: true, action: equal[3] });
    const parts = chooseAction('remove', equal, told);
    assert.deepEqual(!parts.ok && parts.candidates, [0, 2, 3]);
  });

  test('a number of an older list means none of them where the offer or the text is another', () => {
    const less = equal.slice(1);
    for (const number of ['1', '3']) {
      const fewer = chooseAction(number, less, told);
      assert.deepEqual(fewer, {
        ok: false,
        why: "the list is out of date: 2 were called 'Remove', now 1",
        candidates: [1],
      });
      const moved = chooseAction(number, equal, told, false);
      assert.deepEqual(!moved.ok && moved.candidates, [0, 2]);
    }
    // Who has a title alone is known by it.
    assert.deepEqual(chooseAction('2', less, told, false), { ok: true, action: equal[1] });
  });
});

test('candidates keep the numbers of the list, and equal ones tell their lines', () => {
  const plain = { kind: 'quickfix', isPreferred: false, places: 1 };
  const all = [
    { ...plain, title: 'Remove', line: 3 },
    { ...plain, title: 'Other', line: 3 },
    { ...plain, title: 'Remove', line: 7 },
  ];
  assert.equal(
    formatCandidates("2 actions are called 'Remove'", all, [0, 2]),
    [
      "nothing was changed: 2 actions are called 'Remove'. Give the number",
      ' 1 Remove [quickfix, 1 place, line 3]',
      ' 3 Remove [quickfix, 1 place, line 7]',
    ].join('\n'),
  );
  assert.match(formatActions('a.ts', all), /\n 2 Other \[quickfix, 1 place\]\n 3 .*, line 7\]$/);
  const many = Array.from({ length: 12 }, () => ({ ...plain, title: 'Remove' }));
  const indexes = many.map((_, index) => index);
  const text = formatCandidates('12 actions', many, indexes);
  assert.match(text, /\n 10 Remove [^\n]*\nleft: 2; call actions without apply for the list$/);
});

test('the list numbers its actions, says what each changes, and keeps to its room', () => {
  assert.equal(
    formatActions('a.ts:3-3', [
      { title: 'Add import\nfrom x', kind: 'quickfix', isPreferred: true, places: 1 },
      { title: 'Old', kind: '', isPreferred: false },
    ]),
    '2 actions at a.ts:3-3\n 1 Add import from x [quickfix, preferred, 1 place]\n 2 Old [runs a command]',
  );
  assert.equal(formatActions('a.ts', []), 'no actions at a.ts');
  assert.equal(formatActions('a.ts', [], ['(1 left out)']), 'no actions at a.ts\n(1 left out)');
  const many = Array.from({ length: 900 }, (_, n) => ({
    ...{ title: `Action ${n} with a long title`, kind: 'refactor', isPreferred: false },
  }));
  const text = formatActions('a.ts', many);
  assert.ok(text.length <= 6_000);
  assert.match(text, /\nleft: \d+; give a narrower place$/);
});
