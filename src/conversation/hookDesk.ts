import * as l10n from '@vscode/l10n';
import path from 'node:path';
import type { Disposable } from '../base/disposable';
import { errorMessage } from '../base/errors';
import type { Logger } from '../base/logger';
import { editedPath } from '../chat/proposedEdit';
import type { ControlContext } from '../cli/controlChannel';
import type { HookCallbackRequest } from '../protocol/controlRequests';
import type { HookMatcher, InitializeOptions } from '../protocol/outboundRequests';
import type { WriteWatch } from './changeDesk';
import type { ConversationPorts } from './conversationPorts';
import { createEditGuardHook, EDIT_GUARD_MATCHER, type EditGuard } from './editGuardHook';
import type { HookBook, HookEntry } from './hookBook';
import { HOOK_EVENTS, type HookSpec, isHookEvent } from './hookEvents';
import type { HookAnswer, HookEvent } from './hookTypes';
import { mergeHookAnswers, readHookAnswer, wireAnswer } from './mergeHookAnswers';
import { withDeadline } from './withDeadline';
import type { AskPerson } from './writeCheck';
import type { WriteGuard } from './writeGuard';

/** Seconds that a person may take before a card of the guard: a day. Then the CLI refuses the call. */
const PERSON_WITHIN_S = 24 * 60 * 60;
/** Seconds that the CLI waits longer than we do, so that ours is the answer. */
const MARGIN_S = 30;
/** Milliseconds for telling a running CLI of hooks that came or went. */
const TELL_WITHIN_MS = 30_000;

type HookDeclaration = NonNullable<InitializeOptions['hooks']>;

/**
 * What `initialize` registers: one callback for each event that somebody listens to, since each
 * costs a way there and back. Before a tool only those of the guard's matcher, unless an extension
 * wants to see more.
 */
export function hookDeclaration(book: HookBook | undefined): HookDeclaration {
  const events = new Set<HookEvent>(book?.events).add('PreToolUse');
  return Object.fromEntries(
    [...events].map((event): [HookEvent, readonly HookMatcher[]] => {
      const isOurs = event === 'PreToolUse' && book?.events.has(event) !== true;
      const { deadlineMs } = HOOK_EVENTS[event];
      return [
        event,
        [
          {
            ...(isOurs ? { matcher: EDIT_GUARD_MATCHER.source } : {}),
            timeout: event === 'PreToolUse' ? PERSON_WITHIN_S : deadlineMs / 1000 + MARGIN_S,
            hookCallbackIds: [`patchbay-${event}`],
          },
        ],
      ];
    }),
  );
}

export interface HookDeskPorts {
  readonly book: HookBook | undefined;
  readonly guard: EditGuard;
  /** Told of the CLI's own edits that may go on. */
  readonly watch?: Pick<WriteWatch, 'willWrite'> | undefined;
  readonly conversation: { readonly id: string; readonly cwd: string };
  readonly log: Logger;
  /** The CLI that runs or is starting: it is told of hooks that come and go. */
  readonly agent: () => Promise<
    { initialize(options: InitializeOptions, request: object): Promise<unknown> } | undefined
  >;
  /** Milliseconds for the handlers of an event; those of the table where absent. */
  readonly deadlineMs?: (event: HookEvent) => number;
}

export interface HookDesk extends Disposable {
  readonly answer: (
    request: HookCallbackRequest,
    context: ControlContext,
  ) => Promise<Record<string, unknown>>;
}

/** Answers the hooks of one conversation: first those of extensions, then the guard on writes. */
export function createHookDesk(ports: HookDeskPorts): HookDesk {
  const { book, agent, log } = ports;
  const following = book?.onDidChange(() => {
    // Fact: hooks of a second `initialize` take the place of the first ones.
    agent()
      .then((cli) =>
        cli?.initialize({ hooks: hookDeclaration(book) }, { timeoutMs: TELL_WITHIN_MS }),
      )
      .catch((error: unknown) => {
        log.warn(
          `The agent was not told of a hook; it counts from its next start: ${errorMessage(error)}`,
        );
      });
  });
  return {
    answer: (request, context) => answerHook(ports, request, context),
    dispose: () => void following?.dispose(),
  };
}

export interface ConversationHooksOptions {
  readonly id: string;
  readonly guard: Pick<WriteGuard, 'writes' | 'policy' | 'mode' | 'watch'>;
  readonly agent: HookDeskPorts['agent'];
  readonly ask: AskPerson;
  readonly stop: () => void;
}

/** The hooks of a conversation, with its guard. */
export function createConversationHooks(
  { hooks: book, log, folder }: Pick<ConversationPorts, 'hooks' | 'log' | 'folder'>,
  { id, guard, agent, ask, stop }: ConversationHooksOptions,
): HookDesk {
  const { writes, policy, mode, watch } = guard;
  return createHookDesk({
    ...{ book, log, agent, watch, conversation: { id, cwd: folder?.path ?? '' } },
    guard: createEditGuardHook({ check: writes, policy, mode, ask, stop }),
  });
}

async function answerHook(
  ports: HookDeskPorts,
  request: HookCallbackRequest,
  context: ControlContext,
): Promise<Record<string, unknown>> {
  const { input } = request;
  const { requestId, signal } = context;
  const event = input.hook_event_name ?? '';
  if (!isHookEvent(event)) return {};
  const entries = ports.book?.matching(event, input) ?? [];
  const answers = await Promise.all(entries.map((entry) => runEntry(ports, entry, input, signal)));
  const merged = mergeHookAnswers(answers);
  if (answers.filter(({ updatedInput }) => updatedInput !== undefined).length > 1) {
    ports.log.warn(
      `Several hooks change the input of ${input.tool_name ?? event}; the first counts`,
    );
  }
  const wire = wireAnswer(event, HOOK_EVENTS[event], merged);
  // What an extension refuses needs no question of the guard.
  if (event !== 'PreToolUse' || merged.deny !== undefined) return wire;
  if (!EDIT_GUARD_MATCHER.test(input.tool_name ?? '')) return wire;
  const changed = merged.updatedInput;
  const guarded =
    changed === undefined
      ? request
      : { ...request, input: { ...input, tool_input: { ...changed } } };
  const answer = await ports.guard(guarded, { requestId, signal, alsoAsks: merged.ask });
  const joined = joinGuard(answer, wire, merged);
  if (outputOf(joined)?.permissionDecision !== 'deny') await tellWrite(ports.watch, guarded);
  return joined;
}

/** The CLI does nothing before it has the answer: what the file holds now is what was before. */
async function tellWrite(
  watch: HookDeskPorts['watch'],
  { input, tool_use_id: id = input.tool_use_id }: HookCallbackRequest,
): Promise<void> {
  const file = editedPath(input.tool_name ?? '', input.tool_input);
  if (file === undefined || id === undefined) return;
  await watch?.willWrite(id, [path.resolve(input.cwd ?? '.', file)]);
}

/** A fault, and an answer that does not come, count as the event's safe answer. */
async function runEntry(
  { conversation, log, deadlineMs }: HookDeskPorts,
  { event, source, run }: HookEntry,
  input: object,
  signal: AbortSignal,
): Promise<HookAnswer> {
  const spec = HOOK_EVENTS[event];
  const limit = deadlineMs?.(event) ?? spec.deadlineMs;
  const over = new AbortController();
  try {
    const work = Promise.resolve().then(() =>
      // Its own copy: what it writes into that, neither the guard nor another hook sees.
      run(structuredClone(input), { signal: AbortSignal.any([signal, over.signal]), conversation }),
    );
    const given = await withDeadline(work, limit, `no answer within ${limit} ms`);
    return readHookAnswer(given, spec);
  } catch (error) {
    log.error(`The ${event} hook of ${source} failed; ${consequence(spec)}`, error);
    if (!isAsking(spec)) return {};
    return { ask: l10n.t('A check by the extension {0} failed: {1}', source, errorMessage(error)) };
  } finally {
    over.abort();
  }
}

function isAsking({ role, answers }: HookSpec): boolean {
  return role === 'guard' && answers.includes('ask');
}

function consequence(spec: HookSpec): string {
  return isAsking(spec) ? 'the person is asked' : 'what waited for it goes on';
}

/** Deny over ask over allow. */
function joinGuard(
  guard: Record<string, unknown>,
  others: Record<string, unknown>,
  merged: HookAnswer,
): Record<string, unknown> {
  const own = outputOf(guard);
  const theirs = outputOf(others);
  if (own === undefined || theirs === undefined) return own === undefined ? others : guard;
  const isOwn = own.permissionDecision === 'deny' || merged.ask === undefined;
  return { hookSpecificOutput: isOwn ? { ...theirs, ...own } : { ...own, ...theirs } };
}

function outputOf({ hookSpecificOutput: output }: Record<string, unknown>) {
  return typeof output === 'object' && output !== null
    ? (Object.fromEntries(Object.entries(output)) as Record<string, unknown>)
    : undefined;
}
