import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConversationModel } from '../../../src/chat/conversationModel';
import { liveTitles } from '../../../src/conversation/toolTitles';
import { modeOptions } from '../../../src/conversation/pickerOptions';
import { ModeRound } from '../../../src/host/modeRound';
import { ServerRegistry } from '../../../src/mcp/registry';
import { type PermissionMode, tryParseMode } from '../../../src/rules/modes';

/** A conversation whose CLI takes its time, and refuses what is named. */
function slowConversation(start: PermissionMode, refused: readonly PermissionMode[] = []) {
  const reasons = new Map<string, string>(refused.map((mode) => [mode, 'Not here']));
  const model = createConversationModel({
    now: () => 0,
    folder: undefined,
    toolTitles: liveTitles(new ServerRegistry()),
    initial: { mode: start, modes: modeOptions(start, reasons, true) },
  });
  const seen: string[] = [];
  return {
    seen,
    snapshot: () => model.snapshot(),
    setMode: async (mode: string) => {
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(mode);
      const modes = modeOptions(tryParseMode(mode) ?? start, reasons, true);
      model.apply({ type: 'fields', fields: { mode, modes } });
    },
  };
}

test('the key goes round the offered modes; pressed fast it misses none', async () => {
  const conversation = slowConversation('default');
  const round = new ModeRound();
  await Promise.all([1, 2, 3, 4, 5].map(() => round.next(conversation)));
  assert.deepEqual(conversation.seen, ['acceptEdits', 'plan', 'auto', 'default', 'acceptEdits']);
});

test('it passes over a mode that the CLI refused, and leaves one that is not offered', async () => {
  const conversation = slowConversation('dontAsk', ['acceptEdits', 'auto']);
  const round = new ModeRound();
  for (let press = 0; press < 4; press += 1) await round.next(conversation);
  assert.deepEqual(conversation.seen, ['default', 'plan', 'default', 'plan']);
});

test('it never reaches the mode that bypasses permissions, and leads from there to asking', async () => {
  const round = new ModeRound();
  const asking = slowConversation('auto');
  await round.next(asking);
  assert.deepEqual(asking.seen, ['default']);
  const bypassing = slowConversation('bypassPermissions');
  await round.next(bypassing);
  assert.deepEqual(bypassing.seen, ['default']);
});
