/** What is missing before the agent can answer anybody. */
export interface SetUp {
  /** `cli`: its program was not found, or cannot run. `login`: nobody is logged in to it. */
  readonly lacks: 'cli' | 'login';
  /** What is missing, one sentence. */
  readonly message: string;
  /** What to do. */
  readonly next?: string | undefined;
  /** Technical text, folded: where the program was looked for. */
  readonly details?: string | undefined;
  /** `looking`: it is being checked. `loggingIn`: the CLI's own login runs in a terminal. */
  readonly busy?: 'looking' | 'loggingIn' | undefined;
  /** How often the person has had it checked in vain. */
  readonly checks?: number | undefined;
}
