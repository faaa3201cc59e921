/** What the hosts, the fake CLI and the runner of the bench tell each other. */

/** What the CLI does with each prompt. */
export type Workload =
  /**
   * One answer of so many streamed pieces; `calls`: so many tool calls are put between them.
   * `perSecond`: no faster than that, and in paragraphs.
   */
  | {
      readonly kind: 'deltas';
      readonly count: number;
      readonly calls?: number;
      readonly perSecond?: number;
    }
  /** One turn with so many tool calls, one after the other or all at once. */
  | { readonly kind: 'calls'; readonly count: number; readonly atOnce: boolean }
  /** So many prompts, each answered with a short text. */
  | { readonly kind: 'turns'; readonly count: number }
  /** One turn with so many permission requests, one after the other or all at once. */
  | { readonly kind: 'cards'; readonly count: number; readonly atOnce: boolean }
  /** One tool result of so many bytes. */
  | { readonly kind: 'big'; readonly bytes: number }
  /** The real CLI: the scripted model decides. */
  | { readonly kind: 'real' };

/** What a host is told, as JSON in its last argument. */
export interface HostOrder {
  readonly workload: Workload;
  /** The CLI's file, fake or real. */
  readonly command: string;
  readonly cwd: string;
  /** Ends once `initialize` is answered. */
  readonly startOnly?: boolean;
  /** Row 13: the CLI is started before the prompt. */
  readonly prewarm?: boolean;
  /** Row 12: how many servers, and whether their manifests are such that the CLI refuses them. */
  readonly servers?: number;
  readonly refused?: boolean;
}

/** What a host has measured, as JSON in the last line of its stdout. All but the start is of the turns alone. */
export interface HostReport {
  /** From the start of the process to the answer to `initialize`. */
  readonly startMs: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  /** The longest time for which the event loop did nothing else. */
  readonly loopMs: number;
  /** Highest resident memory less that at the start. */
  readonly rssMiB: number;
  /** As the CLI sees it, from a call being written to its answer being read; where there were calls. */
  readonly answerMs?: { readonly p99: number; readonly worst: number };
  /** Median from a call's arrival to its answer being written. */
  readonly replyUs: number | undefined;
  readonly posts: number;
  readonly postedBytes: number;
  /** Of the text that was posted. */
  readonly textBytes: number;
  readonly textHash: string;
}

export const SERVER = 'probe';
export const TOOL = 'ping';

/** Words of the streamed text, with what JSON must escape and what UTF-8 makes longer. */
const WORDS = ['the ', 'quick ', 'brown ', 'fox ', 'jumps ', 'über ', 'den ', 'Zaun,\n', '„ja“ '];

/** The text of streamed piece number `index`. */
export function deltaText(index: number): string {
  return `${WORDS[index % WORDS.length] ?? ''}${WORDS[(index * 7 + 3) % WORDS.length] ?? ''}`;
}

/** How many pieces go by before the texts begin again: the fake sends whole blocks of them. */
export const DELTA_PERIOD = 2016;

/** The same in paragraphs of about 350 characters, as an answer is. */
export function paragraphText(index: number): string {
  return index % 40 === 39 ? '.\n\n' : deltaText(index).replaceAll('\n', ' ');
}

/** All of the text of so many pieces. */
export function wholeText(count: number, piece = deltaText): string {
  const parts = Array.from({ length: count }, (_, index) => piece(index % DELTA_PERIOD));
  return parts.join('');
}
