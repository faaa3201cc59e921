import { tryParseCommandLine } from './commandLine';

/** A question beside the conversation, which stays as it is, and what came of it. */
export interface SideQuestion {
  readonly id: string;
  readonly question: string;
  readonly state: 'asking' | 'answered' | 'failed';
  /** Markdown of the model; of a failed one why, in plain words. Absent while it is asked. */
  readonly answer?: string | undefined;
}

/** What asks one. */
export const SIDE_COMMAND = 'btw';

/** The question behind `/btw`; undefined where the text is no such question. */
export function sideQuestionIn(text: string): string | undefined {
  const line = tryParseCommandLine(text);
  return line?.name === SIDE_COMMAND ? line.rest.trim() : undefined;
}
