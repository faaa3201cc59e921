import { DeltaTemplates } from './deltaTemplates';
import { parseMessage, type ParsedLine } from './messages';
import { isKnownDeltaMessage } from './streamEvents';

/** Reads the lines of one CLI, one after the other. */
export interface MessageReader {
  /** As `parseMessage`, quicker for what is like a line that came before. Never throws. */
  read(line: string): ParsedLine;
}

/** Creates a {@link MessageReader}. */
export function createMessageReader(): MessageReader {
  const deltas = new DeltaTemplates();
  return {
    read: (line) => {
      const known = deltas.read(line);
      if (known !== undefined) return { ok: true, message: known };
      const parsed = parseMessage(line);
      if (parsed.ok && isKnownDeltaMessage(parsed.message)) deltas.learn(line, parsed.message);
      return parsed;
    },
  };
}
