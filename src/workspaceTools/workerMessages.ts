import type { AskAnswer } from '../mcp/askPort';
import type { ConversationReset } from '../mcp/conversationFacts';
import type { LogLevel } from '../mcp/toolContext';
import type {
  ClientInfo,
  JsonObject,
  ToolAnnotations,
  WirePrompt,
  WireResource,
  WireResourceTemplate,
} from '../mcp/wire';
import type { Compiled } from './sourceCompiler';
import type { ToolFileFault } from './toolFile';

// What goes between the extension host and the worker of one tool file. Both ends are ours and of
// one build; the authors' values in it have been made plain data before.

/** Of a call, what its handler may know; the functions of the context are messages. */
export interface CallFacts {
  readonly requestId: string;
  readonly toolUseId?: string | undefined;
  readonly agent?: string | undefined;
  readonly progressToken?: string | number | undefined;
  readonly clientInfo?: ClientInfo | undefined;
  readonly clientCapabilities?: Readonly<Record<string, unknown>> | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  readonly conversation: { readonly id: string; readonly cwd: string };
  readonly mode: string;
  readonly turnStart?: number | undefined;
  readonly lastTurnStart?: number | undefined;
  /** Stands for the conversation's state. */
  readonly stateKey: number;
  /** Entries of that state, where this worker has not seen it yet. */
  readonly state?: readonly StateEntry[] | undefined;
}

export type StateEntry = readonly [key: string, value: unknown];

/** What a worker is asked to do with its definition number `index`. */
export type WorkerTask =
  /** Whether the arguments of a tool or a prompt fit. */
  | { readonly op: 'check'; readonly index: number; readonly args: unknown }
  /** Which files the tool will write. */
  | { readonly op: 'edits'; readonly index: number; readonly args: unknown }
  /** A tool or a prompt. */
  | { readonly op: 'run'; readonly index: number; readonly args: unknown }
  | {
      readonly op: 'read';
      readonly index: number;
      readonly variables: Readonly<Record<string, string>>;
      readonly uri: string;
    }
  | { readonly op: 'list'; readonly index: number }
  | {
      readonly op: 'complete';
      readonly index: number;
      readonly field: string;
      readonly value: string;
      readonly others: Readonly<Record<string, string>>;
    };

export type ToWorker =
  | {
      readonly kind: 'load';
      readonly folder: string;
      readonly folderName: string;
      readonly file: string;
      readonly sources: ReadonlyMap<string, string>;
      readonly compiled: ReadonlyMap<string, Compiled>;
      /** See `compilerProgram.ts`. */
      readonly compilerFile: string;
      /** The translations of what the person is told. */
      readonly words: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly task: WorkerTask;
      /** Absent where the definition asks for no context. */
      readonly facts?: CallFacts | undefined;
    }
  | { readonly kind: 'stop'; readonly id: number; readonly reason: string }
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly question: number;
      readonly answer: AskAnswer | { readonly failed: string };
    }
  | { readonly kind: 'reset'; readonly stateKey: number; readonly reset: ConversationReset }
  /** The conversation has ended. */
  | { readonly kind: 'forget'; readonly stateKey: number }
  | { readonly kind: 'watch'; readonly id: number; readonly index: number; readonly uri: string }
  | { readonly kind: 'unwatch'; readonly id: number }
  /** Answered as soon as the worker's event loop comes around. */
  | { readonly kind: 'ping'; readonly count: number };

/** A definition without its functions. */
export type DefinitionData = { readonly line?: number | undefined } & (
  ToolData | PromptData | ResourceData
);

export interface ToolData {
  readonly kind: 'tool';
  readonly name: string;
  readonly title?: string | undefined;
  readonly description: string;
  readonly annotations?: ToolAnnotations | undefined;
  readonly alwaysLoad: boolean;
  readonly searchHint?: string | undefined;
  readonly maxResultChars?: number | undefined;
  readonly requiresUserInteraction?: boolean | undefined;
  readonly meta?: JsonObject | undefined;
  readonly timeout?: number | undefined;
  readonly progressExtends: boolean;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject | undefined;
  readonly hasEdits: boolean;
}

export interface PromptData {
  readonly kind: 'prompt';
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly timeout?: number | undefined;
  readonly wire: WirePrompt;
  /** Arguments that can be completed. */
  readonly completes: readonly string[];
}

export interface ResourceData {
  readonly kind: 'resource';
  readonly uri: string;
  readonly name: string;
  readonly wire: WireResource | WireResourceTemplate;
  readonly timeout?: number | undefined;
  readonly hasList: boolean;
  readonly hasWatch: boolean;
  readonly completes: readonly string[];
}

export type FromWorker =
  | {
      readonly kind: 'loaded';
      readonly definitions: readonly DefinitionData[];
      readonly faults: readonly ToolFileFault[];
      readonly loaded: readonly string[];
    }
  | { readonly kind: 'notLoaded'; readonly fault: ToolFileFault }
  | {
      readonly kind: 'done';
      readonly id: number;
      readonly value: unknown;
      readonly state?: readonly StateEntry[] | undefined;
    }
  | {
      readonly kind: 'failed';
      readonly id: number;
      readonly message: string;
      /** Of an RpcError. */
      readonly code?: number | undefined;
      readonly state?: readonly StateEntry[] | undefined;
    }
  | {
      readonly kind: 'progress';
      readonly id: number;
      readonly done: number;
      readonly total?: number | undefined;
      readonly message?: string | undefined;
    }
  | {
      readonly kind: 'log';
      /** Of a call; absent for what the file prints by itself. */
      readonly id?: number | undefined;
      readonly level: LogLevel;
      readonly data: unknown;
      readonly logger?: string | undefined;
    }
  | ({ readonly kind: 'tellFile'; readonly id: number } & ToldFile)
  | { readonly kind: 'tellFiles'; readonly id: number; readonly files: readonly ToldFile[] }
  | {
      readonly kind: 'ask';
      readonly id: number;
      readonly question: number;
      readonly schema: JsonObject;
      readonly message: string;
    }
  /** The call's clock is to stand still, and to go on. */
  | { readonly kind: 'hold' | 'release'; readonly id: number; readonly question: number }
  | { readonly kind: 'changed'; readonly id: number }
  | { readonly kind: 'pong'; readonly count: number };

/** A file that the result of a call names, or quotes. */
export interface ToldFile {
  readonly path: string;
  readonly bytes?: number | undefined;
}

export type LoadedMessage = Extract<FromWorker, { readonly kind: 'loaded' }>;
