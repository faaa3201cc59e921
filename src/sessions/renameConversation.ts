import { constants } from 'node:fs';
import { mkdir, open, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { conversationFolder } from './conversationPath';
import { titleRecords } from './titleRecords';

/** Beside the file there is one of its own for the title: it is found without reading the other. */
export const TITLE_FILE = 'custom-title.json';

/**
 * Gives a conversation a title, as the CLI does. Not while a CLI works on it: that would write its
 * own again, so it is asked to (`rename_session`).
 * @throws what writing the files throws
 */
export async function renameConversation(file: string, title: string): Promise<void> {
  const sessionId = path.basename(file, '.jsonl');
  // At the end that it has by then: a terminal may be writing in it.
  const handle = await open(file, constants.O_RDWR | constants.O_APPEND);
  try {
    const { size } = await handle.stat();
    const lines = titleRecords(sessionId, title).map((record) => `${JSON.stringify(record)}\n`);
    // Behind a line that a kill has torn, ours would be torn as well.
    const start = (await endsInLine(handle, size)) ? '' : '\n';
    await handle.write(start + lines.join(''));
  } finally {
    await handle.close();
  }
  const folder = conversationFolder(file);
  await mkdir(folder, { recursive: true });
  const named = { customTitle: title, by: 'user', at: new Date().toISOString() };
  await writeFile(path.join(folder, TITLE_FILE), JSON.stringify(named), { mode: 0o600 });
}

async function endsInLine(
  handle: Awaited<ReturnType<typeof open>>,
  size: number,
): Promise<boolean> {
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  await handle.read(last, 0, 1, size - 1);
  return last.toString() === '\n';
}
