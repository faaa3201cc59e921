import { stat } from 'node:fs/promises';
import { Uri, workspace } from 'vscode';
import type { Logger } from '../base/logger';

import type { BuffersPort } from '../conversation/conversationPorts';
import { createDirtyBuffers } from '../editor/dirtyBuffers';
import { openFile } from '../editor/openFile';
import { textForm } from '../editor/textForm';

/** Above this size, in bytes, a file is not read for the sake of a difference. */
const MAX_READ_BYTES = 5_000_000;

/** The editor's buffers, for the guard and for the cards. */
export function createBuffersPort(log: Logger): BuffersPort {
  const buffers = createDirtyBuffers();
  const attempt = async (work: Promise<void>): Promise<boolean> => {
    try {
      await work;
      return true;
    } catch (error) {
      log.error('A buffer could not be brought in line with its file', error);
      return false;
    }
  };
  return {
    dirtyFiles: () => buffers.dirtyFiles(),
    save: (path) => attempt(buffers.save(path)),
    discard: (path) => attempt(buffers.discard(path)),
    read: readAsShown,
    form: textForm,
  };
}

async function readAsShown(path: string): Promise<string | undefined> {
  const open = openFile(path);
  if (open !== undefined) return open.getText();
  try {
    const found = await stat(path);
    // A device or a pipe can be read for ever.
    if (!found.isFile() || found.size > MAX_READ_BYTES) return undefined;
    const uri = Uri.file(path);
    // In the encoding in which the editor would open it.
    return await workspace.decode(await workspace.fs.readFile(uri), { uri });
  } catch {
    return undefined;
  }
}
