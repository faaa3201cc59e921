import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CliCommands } from '../../../src/conversation/cliCommands';
import { Composing } from '../../../src/conversation/composing';
import { ServerRegistry } from '../../../src/mcp/registry';

test('edits go before one message each: a message that waits for the turn does not bring them again', async () => {
  const asked: number[] = [];
  const sent: unknown[] = [];
  const facts = { lastTurnStart: 100 };
  let isWanted = true;
  let now = 500;
  const composing = new Composing({
    ports: {
      registry: new ServerRegistry(),
      now: () => now,
      buffers: {
        dirtyFiles: () => [],
        save: () => Promise.resolve(true),
        discard: () => Promise.resolve(true),
        read: () => Promise.resolve(undefined),
      },
      folder: undefined,
      hostEnvironment: {},
      settings: () => {
        throw new Error('no place of the CLI is needed');
      },
      userChanges: {
        isWanted: () => isWanted,
        describe: (since) => {
          asked.push(since);
          return Promise.resolve(undefined);
        },
      },
    },
    facts,
    router: { route: () => Promise.reject(new Error('nothing is routed here')) },
    commands: new CliCommands(),
    agent: () => Promise.reject(new Error('no agent is needed')),
    settledAgent: () => Promise.resolve(undefined),
    take: ({ id, text, expansion }) => {
      sent.push([id, text, expansion?.content]);
      return { accepted: true };
    },
  });
  await composing.intake.submit({ id: '1', text: 'one' });
  now = 600;
  await composing.intake.submit({ id: '2', text: 'two' });
  facts.lastTurnStart = 550;
  await composing.intake.submit({ id: '3', text: 'three' });
  isWanted = false;
  await composing.intake.submit({ id: '4', text: 'four' });
  assert.deepEqual(asked, [100, 500, 600]);
  assert.deepEqual(sent, [
    ['1', 'one', 'one'],
    ['2', 'two', 'two'],
    ['3', 'three', 'three'],
    ['4', 'four', undefined],
  ]);
  composing.dispose();
});
