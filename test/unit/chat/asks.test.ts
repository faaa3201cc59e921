import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AskCard } from '../../../src/chat/askProtocol';
import { permissionCard } from './askFixture';
import { Chat } from './chatHarness';
import { formCard, linkCard, questionCard } from './askFixture';

const request = (card: AskCard) => ({ type: 'askRequested', card }) as const;

test('a form waits for an answer, keeps what is put in, and leaves one line', () => {
  const chat = new Chat().prompt('go').apply(request(formCard()));
  assert.equal(chat.status, 'waitingForAnswer');
  chat.apply({ type: 'askDrafted', cardId: 'f1', draft: { '0': 'half' } });
  assert.deepEqual(chat.state.asks[0]?.draft, { '0': 'half' });
  chat.apply({ type: 'askDrafted', cardId: 'gone', draft: {} });
  chat.apply({ type: 'askSettled', cardId: 'f1', outcome: 'answered' });
  assert.deepEqual(chat.state.asks, []);
  assert.equal(chat.status, 'waitingForModel');
  assert.equal(chat.notices.at(-1)?.text, 'You answered: Deploy where?');
  chat.apply({ type: 'askSettled', cardId: 'f1', outcome: 'declined' });
  assert.equal(chat.notices.length, 1, 'a second end says nothing');
});

test('declined, withdrawn and opened are said, what was lost or stopped is not', () => {
  const said = (card: AskCard, outcome: 'declined' | 'withdrawn' | 'answered' | 'lost') => {
    const chat = new Chat().prompt('go').apply(request(card));
    chat.apply({ type: 'askSettled', cardId: card.id, outcome });
    return chat.notices.at(-1)?.text;
  };
  assert.equal(said(formCard(), 'declined'), 'You declined: Deploy where?');
  assert.equal(said(formCard(), 'withdrawn'), 'Withdrawn before you answered: Deploy where?');
  assert.equal(said(linkCard(), 'answered'), 'Opened for ext: example.com');
  assert.equal(said(linkCard(), 'declined'), 'Not opened for ext: example.com');
  assert.equal(said(formCard(), 'lost'), undefined);
  const chat = new Chat().prompt('go').apply(request(formCard()), { type: 'stopRequested' });
  assert.equal(chat.status, 'stopping');
  chat.apply({ type: 'askSettled', cardId: 'f1', outcome: 'withdrawn' });
  assert.deepEqual(chat.notices, []);
});

test('dismissed questions are marked on their row; leave to do something is asked first', () => {
  const chat = new Chat().prompt('go').cli({
    type: 'assistant',
    message: {
      id: 'm1',
      content: [{ type: 'tool_use', id: 't1', name: 'AskUserQuestion', input: {} }],
    },
  });
  chat.apply(request(questionCard()), { type: 'permissionRequested', card: permissionCard() });
  assert.equal(chat.status, 'waitingForPermission');
  chat.apply({ type: 'permissionSettled', cardId: 'p1', outcome: 'denied' });
  assert.equal(chat.status, 'waitingForAnswer');
  chat.apply({ type: 'askSettled', cardId: 'q1', outcome: 'declined' });
  assert.deepEqual([chat.tool('t1').state, chat.tool('t1').result?.text], ['denied', 'Dismissed']);
});

test('with its process a card goes; one that is interrupted stays and is no state of the turn', () => {
  const interrupted = { ...formCard(), id: 'f2', interrupted: true };
  const chat = new Chat().prompt('go').apply(request(formCard()), request(interrupted));
  chat.apply({ type: 'cliExited' });
  assert.deepEqual(
    chat.state.asks.map(({ id }) => id),
    ['f2'],
  );
  assert.equal(chat.status, 'idle');
  chat.apply({ type: 'cleared' });
  assert.deepEqual(chat.state.asks, []);
});
