import { randomUUID } from 'node:crypto';
import { createDeferred } from '../../../src/base/deferred';
import { Emitter } from '../../../src/base/event';
import {
  type CliExit,
  type LineTransport,
  TransportClosedError,
  type TransportFault,
} from '../../../src/cli/lineTransport';
import type { OutboundMessage } from '../../../src/protocol/outboundRequests';
import { type CliMove, FORM, INITIALIZED, isInterrupting, QUESTIONS, TOOLS } from './cliWords';
import type { SessionsOnDisk } from './sessionsOnDisk';

/** What a process does beside the turns. */
export type CliTemper =
  | 'plain'
  /** Ends before it answers `initialize`. */
  | 'stillborn'
  /** Answers `initialize` at its next move. */
  | 'late'
  /** Never answers a Stop. */
  | 'deaf';

/** A question that waits for the person. */
export interface OpenAsk {
  readonly id: string;
  readonly kind: 'tool' | 'questions' | 'form';
  /** The line that asks it. */
  readonly line: object;
  /** The host has not heard of it: its line was lost. */
  isLost: boolean;
}

/** Told of what a prompt meets. */
export interface CliWatcher {
  /** A prompt came. `others`: those that run or wait here. */
  written(content: unknown, others: readonly unknown[]): void;
  /** The model reads it. */
  taken(content: unknown): void;
  /** Its process ended, and that the model has read it was never told. */
  takenUnseen(content: unknown): void;
}

interface Prompt {
  readonly uuid: string;
  readonly content: unknown;
  readonly priority: string | undefined;
}

interface Turn {
  readonly prompt: Prompt | undefined;
  /** Model messages so far. */
  messages: number;
  /** Calls whose result is not there. */
  readonly calls: string[];
  /** Folded in: they end with the turn. */
  readonly folded: Prompt[];
  isStopped: boolean;
}

export interface ScriptedCliOptions {
  readonly args: readonly string[];
  readonly temper: CliTemper;
  readonly disk: SessionsOnDisk;
  readonly watcher: CliWatcher;
}

/**
 * A CLI in memory: lines in, lines out, one move at a time. What it does between the moves is what the
 * real one was seen to do: control requests are answered at once, prompts wait until they are taken
 * up, and what waits beside a tool call is folded in behind its result.
 */
export class ScriptedCli implements LineTransport {
  readonly pid = undefined;
  readonly temper: CliTemper;
  readonly asks = new Map<string, OpenAsk>();
  /** All that the host has written. */
  readonly heard: OutboundMessage[] = [];
  readonly #options: ScriptedCliOptions;
  readonly #lines = new Emitter<string>();
  readonly #faults = new Emitter<TransportFault>();
  readonly #exit = new Emitter<CliExit>();
  readonly #exited = createDeferred<CliExit>();
  readonly onDidReceiveLine = this.#lines.event;
  readonly onDidFault = this.#faults.event;
  readonly onDidExit = this.#exit.event;
  readonly exited = this.#exited.promise;
  readonly #queue: Prompt[] = [];
  /** Lines under way, each with the prompts of which it tells that the model has read them. */
  #out: { readonly line: object; readonly tells: readonly Prompt[] }[] = [];
  #late: (() => void)[] = [];
  #turn: Turn | undefined;
  #sessionId: string;
  #asked = 0;
  /** Ends before it says anything. */
  #isMute = false;
  #isOver = false;

  constructor(options: ScriptedCliOptions) {
    this.#options = options;
    this.temper = options.temper;
    const resume = options.args.find((arg) => arg.startsWith('--resume='))?.slice(9);
    this.#sessionId = resume ?? randomUUID();
    if (options.temper === 'stillborn') {
      this.#isMute = true;
      setImmediate(() => this.end({ kind: 'crashed', code: 3, stderrTail: 'stillborn' }));
    } else if (resume !== undefined && !options.disk.has(resume)) {
      const stderrTail = `No conversation found with session ID: ${resume}`;
      this.#isMute = true;
      setImmediate(() => this.end({ kind: 'crashed', code: 1, stderrTail }));
    }
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Nothing runs, waits or is under way. */
  get isIdle(): boolean {
    return !this.#turn && this.#queue.length === 0 && this.#out.length === 0;
  }

  /** A turn goes on. One that was stopped is as good as over. */
  get isRunning(): boolean {
    return this.#turn?.isStopped === false;
  }

  /** Prompts that wait. */
  get queued(): readonly unknown[] {
    return this.#queue.map(({ content }) => content);
  }

  get isLate(): boolean {
    return this.#late.length > 0;
  }

  strays(): Promise<number> {
    return Promise.resolve(0);
  }

  close(): Promise<CliExit> {
    setImmediate(() => this.end({ kind: 'ended', code: 0, stderrTail: '' }));
    return this.exited;
  }

  write(message: OutboundMessage): Promise<void> {
    if (this.#isOver) return Promise.reject(new TransportClosedError('The CLI has ended'));
    // As through a pipe.
    const copy = JSON.parse(JSON.stringify(message)) as OutboundMessage;
    this.heard.push(copy);
    this.#receive(copy);
    return Promise.resolve();
  }

  /** Ends it at once. What it said before is heard, unless that is lost with it. */
  end(exit: Pick<CliExit, 'kind' | 'code' | 'stderrTail'>, isLost = false): void {
    if (this.#isOver) return;
    if (!isLost) this.#flush();
    for (const { tells } of this.#out)
      for (const one of tells) this.#options.watcher.takenUnseen(one.content);
    this.#out = [];
    this.#isOver = true;
    this.asks.clear();
    const whole: CliExit = { signal: null, ...exit };
    this.#exit.fire(whole);
    this.#exited.resolve(whole);
  }

  /** Makes a move. False where there is nothing to do. */
  move(wanted: CliMove): boolean {
    if (this.#isOver) return false;
    const late = this.#late.splice(0);
    if (late.length > 0) {
      for (const answer of late) answer();
      return true;
    }
    const turn = this.#turn;
    if (turn) return this.#goOn(turn, wanted);
    if (this.#queue.length > 0) {
      this.#begin(this.#queue.shift());
      return true;
    }
    if (wanted !== 'begin unasked') return false;
    this.#begin(undefined);
    return true;
  }

  #goOn(turn: Turn, wanted: CliMove): boolean {
    if (turn.isStopped) {
      this.#endStopped(turn);
      return true;
    }
    const open = [...this.asks.values()];
    switch (wanted) {
      case 'ask again':
        if (open.length === 1 && open[0]?.kind === 'tool') {
          this.#ask(turn, 'tool', false);
          return true;
        }
        break;
      case 'take back a question': {
        const [ask] = open;
        if (!ask) break;
        this.asks.delete(ask.id);
        this.#say({ type: 'control_cancel_request', request_id: ask.id });
        return true;
      }
      case 'ask':
      case 'ask unheard':
        if (turn.calls.length > 0) break;
        this.#ask(turn, 'tool', wanted === 'ask unheard');
        return true;
      case 'ask questions':
      case 'ask a form':
        if (turn.calls.length > 0) break;
        this.#ask(turn, wanted === 'ask a form' ? 'form' : 'questions', false);
        return true;
      case 'say':
        if (turn.calls.length > 0) break;
        this.#text(turn);
        return true;
      case 'go on':
      case 'end the turn':
      case 'fail the turn':
      case 'begin unasked':
    }
    if (open.length > 0) return false;
    if (turn.calls.length > 0) this.#resultsOf(turn);
    else if (wanted === 'fail the turn') this.#finish(turn, true);
    else this.#finish(turn, false);
    return true;
  }

  #receive(message: OutboundMessage): void {
    switch (message.type) {
      case 'user': {
        const { uuid, priority } = message;
        const { content } = message.message;
        // A turn that nobody asked for may begin while a prompt is on its way.
        const running = this.#turn?.prompt;
        const others = running ? [running.content, ...this.queued] : this.queued;
        this.#options.watcher.written(content, others);
        this.#queue.push({ uuid, content, priority });
        this.#lifecycle(uuid, 'queued');
        return;
      }
      case 'control_response':
        this.asks.delete(String(message.response.request_id));
        if (isInterrupting(message.response)) this.#stop(true);
        return;
      case 'control_request':
        this.#request(message.request_id, { ...message.request });
        return;
      case 'control_cancel_request':
    }
  }

  #request(id: string, request: { readonly subtype: string; readonly [key: string]: unknown }) {
    const answer = (response: object, beside: object = {}): void => {
      const body = { subtype: 'success', request_id: id, response, ...beside };
      this.#say({ type: 'control_response', response: body });
    };
    switch (request.subtype) {
      case 'initialize': {
        if (this.#isMute) return;
        const say = (): void => answer(INITIALIZED, { pending_permission_requests: this.#lost() });
        if (this.temper === 'late' && this.#asked === 0 && !this.#turn) this.#late.push(say);
        else say();
        return;
      }
      case 'interrupt': {
        if (this.temper === 'deaf') return;
        this.#withdrawAll();
        const cancelled = request.cancel_queued === true ? this.#queue.splice(0) : [];
        answer({ still_queued: [], cancelled: cancelled.map(({ uuid }) => uuid) });
        for (const { uuid } of cancelled) this.#lifecycle(uuid, 'cancelled');
        this.#stop(false);
        return;
      }
      case 'set_permission_mode':
        answer({ mode: request.mode });
        return;
      default: {
        const error = `Unsupported control request subtype: ${request.subtype}`;
        const body = { subtype: 'error', request_id: id, error };
        this.#say({ type: 'control_response', response: body });
      }
    }
  }

  /** A second `initialize` lists all that is open; by then the host knows of it. */
  #lost(): readonly object[] {
    const tools = [...this.asks.values()].filter(({ kind }) => kind !== 'form');
    for (const ask of tools) ask.isLost = false;
    return tools.map(({ line }) => line);
  }

  #stop(byAnswer: boolean): void {
    if (!this.#turn) return;
    if (byAnswer) this.#withdrawAll();
    this.#turn.isStopped = true;
  }

  #withdrawAll(): void {
    for (const id of this.asks.keys())
      this.#say({ type: 'control_cancel_request', request_id: id });
    this.asks.clear();
  }

  #begin(prompt: Prompt | undefined): void {
    this.#turn = { prompt, messages: 0, calls: [], folded: [], isStopped: false };
    if (prompt) {
      this.#options.disk.prompt(this.#sessionId, prompt.uuid, prompt.content);
      this.#take(prompt);
    } else this.#options.disk.unasked(this.#sessionId);
    const ids = prompt ? { user_message_uuids: [prompt.uuid] } : {};
    const init = { subtype: 'init', tools: [], model: 'scripted', permissionMode: 'default' };
    this.#say({ type: 'system', ...init, ...ids });
  }

  #take(prompt: Prompt): void {
    this.#options.watcher.taken(prompt.content);
    this.#lifecycle(prompt.uuid, 'started', [prompt]);
  }

  #text(turn: Turn): void {
    const id = this.#message(turn);
    const at = { api_message_id: id, parent_tool_use_id: null };
    const text = `said ${turn.messages}`;
    this.#event(at, { type: 'message_start', message: { id } });
    this.#event(at, {
      ...{ type: 'content_block_start', index: 0 },
      content_block: { type: 'text', text: '' },
    });
    for (const part of text.split(/(?= )/)) {
      const delta = { type: 'text_delta', text: part };
      this.#event(at, { type: 'content_block_delta', index: 0, delta });
    }
    this.#assistant(id, { type: 'text', text }, true);
    this.#event(at, { type: 'content_block_stop', index: 0 });
    this.#event(at, { type: 'message_stop' });
  }

  #ask(turn: Turn, kind: OpenAsk['kind'], isLost: boolean): void {
    this.#asked += 1;
    const callId = `toolu_${this.#asked}_${randomUUID()}`;
    const name = TOOLS[kind];
    const input = kind === 'questions' ? QUESTIONS : { command: `run ${this.#asked}` };
    turn.calls.push(callId);
    this.#assistant(this.#message(turn), { type: 'tool_use', id: callId, name, input }, false);
    const id = randomUUID();
    const request =
      kind === 'form'
        ? {
            ...{ subtype: 'elicitation', mcp_server_name: 'ext', message: 'How old?' },
            ...{ mode: 'form', requested_schema: FORM },
          }
        : { subtype: 'can_use_tool', tool_name: name, input, tool_use_id: callId };
    const line = { type: 'control_request', request_id: id, request };
    this.asks.set(id, { id, kind, line, isLost });
    if (!isLost) this.#say(line);
  }

  /** The results of all calls, and behind them what waits is folded in. */
  #resultsOf(turn: Turn): void {
    const content = turn.calls
      .splice(0)
      .map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'done', is_error: false }));
    this.#options.disk.toolResult(this.#sessionId, content);
    this.#say({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null });
    const folded = this.#queue.filter(({ priority }) => priority !== 'later');
    for (const prompt of folded) {
      this.#queue.splice(this.#queue.indexOf(prompt), 1);
      this.#options.disk.steered(this.#sessionId, prompt.uuid, prompt.content);
      this.#take(prompt);
      turn.folded.push(prompt);
    }
  }

  #finish(turn: Turn, isFailure: boolean): void {
    if (!isFailure) this.#text(turn);
    for (const { uuid } of turn.folded) this.#lifecycle(uuid, 'completed');
    this.#say({
      ...{ type: 'result', subtype: 'success', is_error: isFailure, num_turns: 1 },
      ...(isFailure ? { result: 'API Error: 500', api_error_status: 500 } : { result: 'said' }),
      ...{ usage: { input_tokens: 1, output_tokens: 1 }, total_cost_usd: 0 },
      ...(turn.prompt
        ? { user_message_uuids: [turn.prompt.uuid] }
        : { origin: { kind: 'task-notification' } }),
    });
    if (turn.prompt) this.#lifecycle(turn.prompt.uuid, 'completed');
    this.#turn = undefined;
  }

  #endStopped(turn: Turn): void {
    const text = '[Request interrupted by user]';
    const content = [{ type: 'text', text }];
    this.#say({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null });
    for (const { uuid } of turn.folded) this.#lifecycle(uuid, 'completed');
    this.#say({
      ...{ type: 'result', subtype: 'error_during_execution', is_error: true, num_turns: 1 },
      ...{ terminal_reason: 'aborted_streaming', errors: [], usage: {} },
      ...(turn.prompt ? { user_message_uuids: [turn.prompt.uuid] } : {}),
    });
    if (turn.prompt) this.#lifecycle(turn.prompt.uuid, 'cancelled');
    this.#turn = undefined;
  }

  #message(turn: Turn): string {
    turn.messages += 1;
    return `msg_${turn.messages}_${turn.prompt?.uuid ?? 'unasked'}`;
  }

  #assistant(id: string, block: object, isLast: boolean): void {
    const uuid = randomUUID();
    this.#options.disk.assistant(this.#sessionId, uuid, id, block, isLast);
    const message = { id, role: 'assistant', content: [block] };
    this.#say({ type: 'assistant', message, parent_tool_use_id: null, uuid });
  }

  #event(at: object, event: object): void {
    this.#say({ type: 'stream_event', event, ...at });
  }

  #lifecycle(uuid: string, state: string, tells: readonly Prompt[] = []): void {
    this.#say({ type: 'command_lifecycle', command_uuid: uuid, state }, tells);
  }

  /** What is said in one move is one chunk. */
  #say(line: object, tells: readonly Prompt[] = []): void {
    if (this.#out.length === 0) setImmediate(() => this.#flush());
    this.#out.push({ line, tells });
  }

  #flush(): void {
    if (this.#isOver) return;
    for (const { line } of this.#out.splice(0)) {
      this.#lines.fire(JSON.stringify({ session_id: this.#sessionId, ...line }));
    }
  }
}
