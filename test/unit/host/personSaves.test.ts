import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PersonSaves, type SeenChange } from '../../../src/host/personSaves';

const FILE = 'file:///shop/.patchbay/tools/a.tool.ts';

function typing(over: Partial<SeenChange> = {}): SeenChange {
  return { isOwn: false, isDirty: true, hasText: true, isReplay: false, isShown: true, ...over };
}

/** As the editor tells of a first key in a saved file: the change, then that it is unsaved. */
function type(saves: PersonSaves): void {
  saves.changed(FILE, typing({ isDirty: false }));
  saves.changed(FILE, typing({ hasText: false }));
}

function opened(): PersonSaves {
  const saves = new PersonSaves();
  saves.opened(FILE, false);
  return saves;
}

function save(saves: PersonSaves, isManual = true): boolean {
  saves.willSave(FILE, isManual);
  return saves.saved(FILE);
}

test('what the person types and saves is theirs, again and again', () => {
  const saves = opened();
  for (let round = 0; round < 3; round += 1) {
    type(saves);
    saves.changed(FILE, typing());
    assert.equal(save(saves), true);
  }
});

test('undo and redo of the own typing stay the own', () => {
  const saves = opened();
  type(saves);
  saves.changed(FILE, typing({ isReplay: true }));
  assert.equal(save(saves), true);
});

const strange: Readonly<Record<string, (saves: PersonSaves) => void>> = {
  'a change by a tool of the agent': (saves) => saves.changed(FILE, typing({ isOwn: true })),
  'a change of a document that no editor shows': (saves) =>
    saves.changed(FILE, typing({ isShown: false })),
  'a file that came in from the disk, and typing behind it': (saves) => {
    saves.changed(FILE, typing({ isDirty: false }));
    type(saves);
  },
  'a document of which nobody has heard before': (saves) => {
    saves.closed(FILE);
    saves.changed(FILE, typing());
  },
};

for (const [what, happens] of Object.entries(strange)) {
  test(`${what} makes the next save not the person's, and only that`, () => {
    const saves = opened();
    happens(saves);
    type(saves);
    assert.equal(save(saves), false);
    type(saves);
    assert.equal(save(saves), true);
  });
}

test('undo and redo in a document that the agent changed can bring that back, and count as the agent’s', () => {
  const saves = opened();
  saves.changed(FILE, typing({ isOwn: true }));
  save(saves);
  saves.changed(FILE, typing({ isReplay: true }));
  assert.equal(save(saves), false);
  type(saves);
  assert.equal(save(saves), true);
});

test('what is unsaved as it is opened may be anyone’s', () => {
  const saves = new PersonSaves();
  saves.opened(FILE, true);
  type(saves);
  assert.equal(save(saves), false);
});

test('a save by a timer, a lost focus or a tool is not the person’s', () => {
  const saves = opened();
  type(saves);
  assert.equal(save(saves, false), false);
  assert.equal(saves.saved(FILE), false);
  assert.equal(saves.saved('file:///other'), false);
});

test('after an approval of what is on the disk the own typing counts, unsaved strange text does not', () => {
  const fromDisk = opened();
  fromDisk.changed(FILE, typing({ isDirty: false }));
  fromDisk.approved(FILE);
  type(fromDisk);
  assert.equal(save(fromDisk), true);

  const unsaved = opened();
  unsaved.changed(FILE, typing({ isOwn: true }));
  unsaved.approved(FILE);
  assert.equal(save(unsaved), false);
});
