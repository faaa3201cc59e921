import { assertNever } from '../../base/assertNever';
import { errorMessage } from '../../base/errors';
import { silentLogger } from '../../base/logger';
import { createConversationModel, type ConversationModel } from '../../chat/conversationModel';
import { createPermissionCard } from '../../chat/permissionCard';
import type { ViewState } from '../../chat/viewStateProtocol';
import { type ControlChannel, createControlChannel } from '../../cli/controlChannel';
import { liveTitles } from '../toolTitles';
import { isJsonObject } from '../../protocol/lazySchema';
import { createLineFramer, type LineFramer } from '../../protocol/lineFramer';
import { createMessageReader, type MessageReader } from '../../protocol/messageReader';
import type { CliMessage, ControlRequestMessage } from '../../protocol/messages';
import type { AnswerCheck } from './answerCheck';
import type { RecordedRequest, RecordPairs } from './pairRecords';
import type { RecordBatch } from './recordBatches';
import { ReplayedHandlers } from './replayedHandlers';
import type { WireFrame, WireNoise } from './wireFile';

export interface ReplayedWireOptions {
  readonly pairs: RecordPairs;
  readonly check: AnswerCheck;
  /** Absolute path. */
  readonly folder: string | undefined;
  /** Cuts what the CLI said in one go. */
  readonly chunk: (bytes: Uint8Array) => Iterable<Uint8Array>;
}

/** How often what is under way is let go on, until an answer is there. */
const MAX_TURNS = 50;

/** Stands where `CliSession` and the conversation stand, with a file in place of the CLI. */
export class ReplayedWire {
  readonly #options: ReplayedWireOptions;
  readonly #handlers: ReplayedHandlers;
  readonly #model: ConversationModel;
  readonly #errors: string[] = [];
  /** Lines that were handed to the framer and have not come out of it. */
  readonly #expected: { readonly record: WireFrame | WireNoise; readonly text: string }[] = [];
  #cards = new Set<string>();
  #framer: LineFramer;
  #reader: MessageReader = createMessageReader();
  #channel: ControlChannel;
  /** Requests of the process that is played. */
  #current = new Map<string | number, RecordedRequest>();
  #now = 0;
  #prompts = 0;
  noise = 0;

  constructor(options: ReplayedWireOptions) {
    this.#options = options;
    const { folder, check } = options;
    this.#handlers = new ReplayedHandlers({
      folder,
      check,
      now: () => this.#now,
      requestOf: (id) => this.#current.get(id),
    });
    this.#model = createConversationModel({
      now: () => this.#now,
      folder: folder === undefined ? undefined : { name: lastName(folder), path: folder },
      toolTitles: liveTitles(this.#handlers.registry),
    });
    this.#framer = this.#createFramer();
    this.#channel = this.#createChannel();
  }

  get view(): ViewState {
    return this.#model.snapshot();
  }

  get errors(): readonly string[] {
    return [...this.#errors, ...this.#handlers.problems];
  }

  async play(batch: RecordBatch): Promise<void> {
    if (!('what' in batch)) return this.#playIn(batch);
    switch (batch.what) {
      case 'frame':
        return this.#playOut(batch);
      case 'ended':
        this.#endProcess();
        return;
      case 'lost':
        return;
      default:
        assertNever(batch, 'record');
    }
  }

  /** A last line without its newline would stand here. */
  async end(): Promise<void> {
    this.#framer.end();
    await turn();
    this.#channel.close('The file ends here');
    this.#handlers.dispose();
  }

  async #playIn(records: readonly (WireFrame | WireNoise)[]): Promise<void> {
    const lines = records.map((record) => ({ record, text: textOf(record) }));
    this.#expected.push(...lines);
    const bytes = new TextEncoder().encode(lines.map(({ text }) => `${text}\n`).join(''));
    for (const chunk of this.#options.chunk(bytes)) this.#framer.push(chunk);
    const missing = this.#expected.shift();
    if (missing) {
      this.#error(missing.record, 'the framing does not give this line back');
      this.#expected.length = 0;
    }
    await turn();
  }

  #createFramer(): LineFramer {
    return createLineFramer({
      onLine: (line) => this.#receive(line),
      onFault: ({ bytes }) => this.#errors.push(`a line of ${bytes} bytes was left out`),
    });
  }

  #createChannel(): ControlChannel {
    return createControlChannel({
      handlers: this.#handlers.handlers,
      log: silentLogger,
      send: (message) => {
        if (message.type !== 'control_response') return Promise.resolve();
        const request = this.#current.get(message.response.request_id);
        if (request) this.#options.check.give(request, message);
        return Promise.resolve();
      },
    });
  }

  #receive(line: string): void {
    const next = this.#expected.shift();
    if (next === undefined) {
      this.#errors.push('the framing gives a line that is not in the file');
      return;
    }
    const { record, text } = next;
    this.#now = record.t ?? record.line;
    if (text !== line) this.#error(record, 'the framing gives another text back');
    const parsed = this.#reader.read(line);
    if (parsed.ok) this.#dispatch(record, parsed.message);
    else if (parsed.kind === 'noise') this.noise += 1;
    else this.#error(record, `the ${parsed.type} message does not fit: ${parsed.place}`);
  }

  #dispatch(record: WireFrame | WireNoise, message: CliMessage): void {
    try {
      if (message.type === 'control_request') this.#ask(record.line, message);
      else if (message.type === 'control_response') this.#channel.receive(message);
      else if (message.type === 'control_cancel_request') {
        this.#settleCard(String(message.request_id), 'withdrawn');
        this.#channel.receive(message);
      } else this.#model.apply({ type: 'message', message });
    } catch (error) {
      this.#error(record, `the ${message.type} message fails: ${errorMessage(error)}`);
    }
  }

  #ask(line: number, message: ControlRequestMessage): void {
    const { request_id: id, request } = message;
    const recorded = this.#options.pairs.byLine.get(line);
    const earlier = this.#current.get(id);
    const isFree = earlier === undefined || this.#options.check.hasGiven(earlier);
    if (recorded && isFree) this.#current.set(id, recorded);
    if (request.subtype === 'can_use_tool') {
      const requestId = String(id);
      this.#cards.add(requestId);
      const toolTitles = liveTitles(this.#handlers.registry);
      const card = createPermissionCard({
        ...{ requestId, request, toolTitles },
        ...(this.#options.folder === undefined ? {} : { folder: this.#options.folder }),
      });
      this.#model.apply({ type: 'permissionRequested', card });
    }
    this.#channel.receive(message);
  }

  async #playOut({ frame, line, t }: WireFrame): Promise<void> {
    this.#now = t ?? line;
    if (frame.type === 'user') this.#prompt(frame);
    else if (frame.type === 'control_request') this.#request(frame);
    else if (frame.type === 'control_response') await this.#answered(line, frame);
  }

  #prompt(frame: WireFrame['frame']): void {
    const message = isJsonObject(frame.message) ? frame.message : {};
    this.#prompts += 1;
    const id = `prompt-${this.#prompts}`;
    this.#model.apply({ type: 'promptSubmitted', id, text: promptText(message.content) });
    this.#model.apply({ type: 'turnStarting' });
  }

  #request(frame: WireFrame['frame']): void {
    const request = isJsonObject(frame.request) ? frame.request : {};
    if (request.subtype === 'initialize') this.#handlers.servers.declare(request);
    else if (request.subtype === 'mcp_set_servers')
      this.#handlers.servers.keepOnly(request.servers);
    // The last one only ends the process.
    else if (request.subtype === 'interrupt' && frame.request_id !== 'host-end') {
      this.#model.apply({ type: 'stopRequested' });
    }
  }

  /** What the file has as ours: whoever waits for the person, or for a tool's code, gets it now. */
  async #answered(line: number, frame: WireFrame['frame']): Promise<void> {
    const recorded = this.#options.pairs.byLine.get(line);
    if (recorded === undefined) return;
    const response = isJsonObject(frame.response) ? frame.response : {};
    const body = isJsonObject(response.response) ? response.response : {};
    this.#handlers.settle(recorded, response);
    const { check } = this.#options;
    for (let turns = 0; turns < MAX_TURNS && !check.hasGiven(recorded); turns += 1) await turn();
    this.#settleCard(String(recorded.id), body.behavior === 'allow' ? 'allowed' : 'denied');
  }

  #settleCard(cardId: string, outcome: 'allowed' | 'denied' | 'withdrawn'): void {
    if (this.#cards.delete(cardId)) {
      this.#model.apply({ type: 'permissionSettled', cardId, outcome });
    }
  }

  #endProcess(): void {
    this.#channel.close('The CLI ended');
    this.#handlers.processEnded();
    this.#model.apply({ type: 'cliExited' });
    this.#cards = new Set();
    this.#current = new Map();
    this.#framer = this.#createFramer();
    this.#reader = createMessageReader();
    this.#channel = this.#createChannel();
  }

  #error({ line }: { readonly line: number }, text: string): void {
    this.#errors.push(`line ${line}: ${text}`);
  }
}

function textOf(record: WireFrame | WireNoise): string {
  return record.what === 'noise' ? record.text : JSON.stringify(record.frame);
}

function promptText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((block: unknown) =>
      isJsonObject(block) && typeof block.text === 'string' ? [block.text] : [],
    )
    .join('\n');
}

function lastName(folder: string): string {
  return folder.split(/[\\/]/).findLast((part) => part !== '') ?? folder;
}

/** Lets go on what waits for a promise. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
