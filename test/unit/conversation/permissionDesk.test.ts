import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatEvent } from '../../../src/chat/chatEvent';
import { createPermissionCard } from '../../../src/chat/permissionCard';
import type { PermissionRequest } from '../../../src/chat/permissionRequest';
import type { PermissionCard } from '../../../src/chat/viewStateProtocol';
import { ControlRequestError } from '../../../src/cli/outboundCalls';
import { type LastingGrant, PermissionDesk } from '../../../src/conversation/permissionDesk';

const WRITE: PermissionRequest = {
  tool_name: 'Write',
  input: { file_path: '/ws/a', content: 'x\n' },
};

/** A desk whose file changes as often as `outdated` says. */
function deskWith(outdated: boolean[] = []) {
  const events: ChatEvent[] = [];
  const stopped: string[] = [];
  const granted: LastingGrant[] = [];
  const lost: PermissionCard[] = [];
  const desk = new PermissionDesk({
    describe: (requestId, request) =>
      Promise.resolve(
        createPermissionCard({
          ...{ requestId, request, folder: '/ws', currentText: undefined },
          settings: {
            files: { alwaysLocal: 'l', alwaysProject: 'p', alwaysUser: 'u' },
            isTrusted: false,
          },
        }),
      ),
    apply: (event) => events.push(event),
    onLost: (card) => lost.push(card),
    isOutdated: () => Promise.resolve(outdated.shift() ?? false),
    onStopped: (reason) => stopped.push(reason),
    onLasting: (grant) => granted.push(grant),
  });
  const outcomes = () =>
    events.flatMap((event) => (event.type === 'permissionSettled' ? [event.outcome] : []));
  return { desk, stopped, granted, lost, outcomes };
}

async function shown(desk: PermissionDesk): Promise<PermissionCard> {
  // Each turn of the loop lets the desk go one step on.
  for (let turns = 0; turns < 100; turns += 1) {
    const [card] = desk.cards;
    if (card) return card;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error('no card came up');
}

test('what was changed between card and answer is asked about anew, and a second click answers nothing', async () => {
  const { desk } = deskWith([true, false]);
  const answer = desk.ask('r', WRITE, new AbortController().signal);
  const first = await shown(desk);
  assert.equal(first.facts, undefined);
  assert.equal(desk.answer(first.id, 'allowOnce'), true);
  const second = await shown(desk);
  assert.notEqual(second.id, first.id);
  assert.match(second.facts?.[0] ?? '', /^Changed since you were asked/);
  assert.equal(desk.answer(first.id, 'allowOnce'), false, 'the doubled click is of the first card');
  assert.equal(desk.isAsking, true);
  desk.answer(second.id, 'allowOnce');
  assert.deepEqual(await answer, { behavior: 'allow', updatedInput: WRITE.input });
  assert.equal(desk.isAsking, false);
});

test('a denial is not looked at again', async () => {
  const { desk } = deskWith([true]);
  const answer = desk.ask('r', WRITE, new AbortController().signal);
  desk.answer((await shown(desk)).id, 'deny', 'not now');
  assert.deepEqual(await answer, { behavior: 'deny', message: 'not now' });
});

test('the reason of Deny and stop is handed on, since the CLI drops it', async () => {
  const { desk, stopped } = deskWith();
  const answer = desk.ask('r', WRITE, new AbortController().signal);
  desk.answer((await shown(desk)).id, 'denyAndStop', ' use git ');
  const result = await answer;
  assert.ok(result.behavior === 'deny' && result.interrupt === true);
  assert.deepEqual(stopped, ['use git']);
});

test('a lasting rule is told of once, and cannot be chosen where the card offers none', async () => {
  const { desk, granted } = deskWith();
  const { signal } = new AbortController();
  const edit = desk.ask('e', WRITE, signal);
  const card = await shown(desk);
  assert.equal(card.always, undefined);
  assert.equal(desk.answer(card.id, 'alwaysUser'), false);
  assert.equal(card.conversationRule, undefined);
  assert.equal(desk.answer(card.id, 'allowConversation'), false);
  desk.answer(card.id, 'deny');
  await edit;
  const ours = desk.ask('o', { tool_name: 'mcp__probe__store', input: {} }, signal);
  desk.answer((await shown(desk)).id, 'alwaysUser');
  const result = await ours;
  assert.ok(result.behavior === 'allow');
  assert.deepEqual(result.updatedPermissions, [
    {
      type: 'addRules',
      rules: [{ toolName: 'mcp__probe__store' }],
      behavior: 'allow',
      destination: 'userSettings',
    },
  ]);
  assert.deepEqual(
    granted.map(({ answer, offer }) => [answer, offer.rule]),
    [['alwaysUser', 'mcp__probe__store']],
  );
});

test('a question that is taken back is withdrawn, one whose process ends is lost', async () => {
  const { desk, lost, outcomes } = deskWith();
  for (const cause of [new Error('taken back'), new ControlRequestError('closed', 'ended')]) {
    const abort = new AbortController();
    const answer = desk.ask('r', WRITE, abort.signal);
    const { id } = await shown(desk);
    abort.abort(cause);
    await assert.rejects(answer);
    assert.equal(desk.answer(id, 'allowOnce'), false, 'a late answer changes nothing');
  }
  assert.deepEqual(outcomes(), ['withdrawn', 'lost']);
  assert.equal(lost.length, 1);
});
