import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseAction } from '../../../src/editor/chooseAction';
import { formatActions } from '../../../src/editor/formatActions';

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

test('the list numbers its actions, says what each changes, and keeps to its room', () => {
  assert.equal(
    formatActions('a.ts:3-3', [
      { title: 'Add import\nfrom x', kind: 'quickfix', isPreferred: true, places: 1 },
      { title: 'Old', kind: '', isPreferred: false },
    ]),
    '2 actions at a.ts:3-3\n 1 Add import from x [quickfix, preferred, 1 place]\n 2 Old [runs a command]',
  );
  assert.equal(formatActions('a.ts', []), 'no actions at a.ts');
  const many = Array.from({ length: 900 }, (_, n) => ({
    ...{ title: `Action ${n} with a long title`, kind: 'refactor', isPreferred: false },
  }));
  const text = formatActions('a.ts', many);
  assert.ok(text.length <= 6_000);
  assert.match(text, /\nleft: \d+; give a narrower place$/);
});
