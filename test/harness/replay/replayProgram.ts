import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { errorMessage } from '../../../src/base/errors';
import { parseWireFile } from '../../../src/conversation/wire/parseWireFile';
import { isAsRecorded, replay } from '../../../src/conversation/wire/replay';
import { describeReplay } from './describeReplay';

const USAGE = 'Usage: npm run replay -- FILE [--chunks SEED] [--json]';

/**
 * Plays one file and says what it became.
 * @returns exit code: 0 where the code does what it did then, 1 for all else
 */
export async function runReplay(
  args: readonly string[],
  say: (line: string) => void,
): Promise<number> {
  try {
    const { file, chunkSeed, json } = readArguments(args);
    const report = await replay(parseWireFile(await readText(file)), { chunkSeed });
    say(json ? JSON.stringify(report, null, 2) : describeReplay(file, report));
    return isAsRecorded(report) ? 0 : 1;
  } catch (error) {
    say(errorMessage(error));
    return 1;
  }
}

function readArguments(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { chunks: { type: 'string' }, json: { type: 'boolean', default: false } },
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new Error(USAGE);
  const chunkSeed = values.chunks === undefined ? undefined : Number(values.chunks);
  if (chunkSeed !== undefined && !Number.isSafeInteger(chunkSeed)) {
    throw new Error(`--chunks: expected a whole number, received ${values.chunks ?? ''}\n${USAGE}`);
  }
  return { file, chunkSeed, json: values.json };
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new Error(`${file} cannot be read: ${errorMessage(cause)}`, { cause });
  }
}
