import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatEvent } from '../../../src/chat/chatEvent';
import { AgentChoices } from '../../../src/conversation/agentChoices';
import { ConversationMemory } from '../../../src/conversation/conversationMemory';
import type { ConversationSettings } from '../../../src/conversation/conversationPorts';

function choicesOf(
  options: { readonly mode?: string; readonly bypass?: boolean; readonly trusted?: boolean } = {},
) {
  const world = { bypass: options.bypass ?? false, trusted: options.trusted ?? true };
  const events: ChatEvent[] = [];
  const settings = (): ConversationSettings => ({
    cliPath: '',
    cliEnvironment: {},
    cliArguments: [],
    cliWrapper: [],
    proxy: { proxy: '', noProxy: [], support: 'override' },
    parkAfterMinutes: 0,
    allowBypassPermissions: world.bypass,
    initialPermissionMode: options.mode ?? '',
    model: '',
  });
  const choices = new AgentChoices({ settings, isTrusted: () => world.trusted }, (event) =>
    events.push(event),
  );
  const lines = (): string[] =>
    events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
  const modes = () =>
    events.findLast((event) => event.type === 'fields' && event.fields.modes !== undefined);
  const listed = (): string[] => {
    const last = modes();
    return last?.type === 'fields' ? (last.fields.modes ?? []).map(({ id }) => id) : [];
  };
  const started = (mode: string, bypass: 'off' | 'on' | 'refused'): void => {
    const none = { pending_permission_requests: [], pending_user_dialog_requests: [] };
    choices.ready({ ...none, current_permission_mode: mode, models: [] }, bypass);
  };
  return { choices, world, lines, listed, modes, started };
}

test('what the CLI changes by itself is told in a line, what it was asked for is not', () => {
  const { choices, lines, started } = choicesOf();
  started('default', 'off');
  choices.modeChanged('plan');
  choices.modeChanged('plan');
  assert.deepEqual(lines(), ['The permission mode is now Plan.']);
  choices.expectMode('acceptEdits', true);
  choices.modeChanged('acceptEdits');
  choices.chooseMode('acceptEdits');
  choices.expectMode('acceptEdits', false);
  choices.modeChanged('acceptEdits');
  assert.equal(lines().length, 1);
  choices.modeChanged('manual');
  assert.equal(lines().at(-1), 'The permission mode is now Ask.');
});

test('bypassing permissions is listed only where the settings allow it in a trusted workspace', () => {
  const isListed = (options: Parameters<typeof choicesOf>[0]): boolean =>
    choicesOf(options).listed().includes('bypassPermissions');
  assert.equal(isListed({}), false);
  assert.equal(isListed({ bypass: true, trusted: false }), false);
  assert.equal(isListed({ bypass: true }), true);
});

test('where the CLI did not take the flag the mode is listed with the reason and cannot be chosen', () => {
  const { choices, started, modes } = choicesOf({ bypass: true });
  started('default', 'refused');
  choices.chooseMode('plan');
  const last = modes();
  const row =
    last?.type === 'fields'
      ? last.fields.modes?.find(({ id }) => id === 'bypassPermissions')
      : undefined;
  assert.match(row?.disabledReason ?? '', /Not as root/);
});

test('a mode that bypasses permissions never comes back unsaid, nor from the settings of the CLI', () => {
  const back = choicesOf({ bypass: true });
  back.choices.restore({ mode: 'bypassPermissions' });
  assert.equal(back.choices.mode, 'default');
  assert.match(back.lines().join(), /bypassed permissions before/);
  const foreign = choicesOf();
  foreign.started('bypassPermissions', 'off');
  assert.equal(foreign.choices.mode, 'default');
});

test('a process after the setting was taken back, or the trust, is started in the mode that asks', () => {
  for (const lost of ['bypass', 'trusted'] as const) {
    const { choices, world, lines } = choicesOf({ bypass: true });
    choices.chooseMode('bypassPermissions');
    assert.equal(choices.launchMode().start, 'bypassPermissions');
    world[lost] = false;
    assert.equal(choices.launchMode().start, 'default');
    assert.deepEqual(lines(), ['The permission mode is now Ask.']);
  }
});

test('only a mode that the person chose is kept as chosen', () => {
  const { choices, started } = choicesOf();
  started('default', 'off');
  const isChosen = (): boolean | undefined => choices.kept.modeChosen;
  assert.deepEqual([choices.kept.mode, isChosen()], ['default', undefined]);
  choices.chooseMode('plan');
  assert.deepEqual([choices.kept.mode, isChosen()], ['plan', true]);
});

test('a model that the person chose is kept as chosen, before anything was said too', () => {
  const { choices } = choicesOf();
  const kept = () => [choices.kept.model, choices.kept.modelChosen];
  choices.modelChanged('claude-opus');
  assert.deepEqual(kept(), ['claude-opus', undefined], 'what the CLI says is no choice');
  choices.chooseModel('sonnet');
  assert.deepEqual(kept(), ['sonnet', true]);
  const next = choicesOf().choices;
  next.restore(choices.kept);
  assert.deepEqual([next.model, next.kept.modelChosen], ['sonnet', true]);
  const told: object[] = [];
  new ConversationMemory((one) => told.push(one)).update({ queue: [], sent: [], ...choices.kept });
  assert.equal(told.length, 1);
});

test('of models that are chosen in a row the last one counts that the CLI has not refused', () => {
  const told: unknown[] = [];
  const cases: readonly (readonly [refused: readonly string[], left: string])[] = [
    [[], 'B'],
    [['A'], 'B'],
    [['B'], 'A'],
    [['A', 'B'], 'sonnet'],
  ];
  for (const [refused, left] of cases) {
    const { choices } = choicesOf();
    choices.chooseModel('sonnet')();
    const [a, b] = [choices.chooseModel('A'), choices.chooseModel('B')];
    const settle = { A: a, B: b };
    for (const name of ['A', 'B'] as const)
      settle[name](refused.includes(name) ? 'refused' : 'taken');
    assert.equal(choices.model, left, refused.join());
    told.push(choices.kept.modelChosen);
  }
  assert.ok(told.every((isChosen) => isChosen === true));
});

test('the mode that a plan leads back to outlives the window; bypassing has to be chosen anew', () => {
  const { choices, started } = choicesOf();
  started('default', 'off');
  choices.chooseMode('acceptEdits');
  choices.chooseMode('plan');
  const kept = JSON.parse(JSON.stringify(choices.kept)) as typeof choices.kept;
  const next = choicesOf().choices;
  next.restore(kept);
  assert.deepEqual(next.launchMode(), { start: 'acceptEdits', then: 'plan' });
  const bypassed = choicesOf({ bypass: true }).choices;
  bypassed.restore({ ...kept, modeBeforePlan: 'bypassPermissions' });
  assert.deepEqual(bypassed.launchMode(), { start: 'plan', then: undefined });
  next.chooseMode('default');
  assert.equal(next.kept.modeBeforePlan, undefined);
});
