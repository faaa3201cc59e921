/** What was measured of one call inside VS Code. */
export interface CallReport {
  readonly tool: string;
  /** By round, of each call, in milliseconds without the time of the editor and its servers. */
  readonly shareMs: readonly (readonly number[])[];
  /** With it. */
  readonly wholeMs: readonly (readonly number[])[];
  /** The share of the least that can be done with the same answers; empty where that is not measured. */
  readonly leastMs: readonly (readonly number[])[];
  /** The longest time that the event loop stood still, by round. */
  readonly loopMs: readonly number[];
  /** The same without the time of the editor and its servers, and without collections of the whole heap. */
  readonly ownStallMs: readonly number[];
  /** The same of the least that can be done with the same answers; empty where that is not measured. */
  readonly leastStallMs: readonly number[];
  /** The longest while the editor was asked for the same without us. */
  readonly bareLoopMs: readonly number[];
  /** Of the first answer, so that it can be seen what was measured. */
  readonly answer: string;
}

export interface EditorReport {
  readonly sample: readonly CallReport[];
  /** References in 20,000 places. */
  readonly crowd: CallReport;
  /** The longest of some collections of the whole heap, after all calls. */
  readonly collectionMs: number;
  /** Input schemas of the built-in tools that were made anew for a further list. */
  readonly schemasAgain: number;
  readonly tools: number;
  readonly vscodeVersion: string;
}
