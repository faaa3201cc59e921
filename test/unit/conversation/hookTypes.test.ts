import type * as sdk from '@anthropic-ai/claude-agent-sdk';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { HOOK_EVENTS, isHookEvent } from '../../../src/conversation/hookEvents';
import type { HookEvent, HookFields, HookInputOf } from '../../../src/conversation/hookTypes';
import type * as api from '../../../src/host/patchbayApi';
import { inRoot } from '../../harness/paths';

/** Judged by the compiler: what the CLI's maker publishes must fit into ours. */
type Published<E extends HookEvent> = Extract<sdk.HookInput, { hook_event_name: E }>;
type Misfits = {
  [E in HookEvent]: Published<E> extends HookInputOf<E> ? never : E;
}[HookEvent];
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;

type Closed = 'WorktreeCreate' | 'MessageDisplay';
const decided: [
  Same<Misfits, never>,
  Same<HookEvent, sdk.HookEvent>,
  Same<Omit<HookFields, Closed>, api.HookFields>,
  Same<Exclude<HookEvent, Closed>, api.HookEvent>,
] = [true, true, true, true];

test('the table of hook events has every published event with its input, and the API all that are open', () => {
  assert.ok(decided.every(Boolean));
  const closed = Object.entries(HOOK_EVENTS).filter(([, spec]) => spec.closed !== undefined);
  assert.deepEqual(
    closed.map(([event]) => event),
    ['WorktreeCreate', 'MessageDisplay'],
  );
});

test('docs/api.md lists each open event with what a matcher is held against and what may be answered', () => {
  const text = readFileSync(inRoot('docs/api.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `(\w+)` +\| (.*?) +\| (.*?) +\|$/gm)].filter(([, event]) =>
    isHookEvent(event ?? ''),
  );
  const list = (fields: readonly string[]): string =>
    fields.length === 0 ? '-' : fields.map((field) => `\`${field}\``).join(', ');
  assert.deepEqual(
    rows.map(([, event, matched, answers]) => [event, matched, answers]),
    Object.entries(HOOK_EVENTS)
      .filter(([, { closed }]) => closed === undefined)
      .map(([event, { matched, answers }]) => [
        event,
        list(matched === undefined ? [] : [matched]),
        list(answers),
      ]),
  );
});

test('every guard has a way to deny, and its deadline is longer than that of one that looks on', () => {
  for (const [event, spec] of Object.entries(HOOK_EVENTS)) {
    assert.equal(spec.role === 'guard', spec.denial !== undefined, event);
    assert.equal(spec.role === 'guard', spec.answers.includes('deny'), event);
    assert.equal(spec.deadlineMs, spec.role === 'guard' ? 30_000 : 5_000, event);
  }
});
