import { realPath } from './conversationPath';
import { readJsonLines } from './jsonLines';
import { RecordTree, treeRecord } from './recordTree';

/** How the records of a conversation's file hang together, without what they say. */
export interface ConversationOutline {
  readonly tree: RecordTree;
  /** The folders in which the CLI worked. */
  readonly cwds: ReadonlySet<string>;
  /** See {@link RecordTree.conversation}. */
  readonly leaf: string | undefined;
  /** The title that the person or the CLI gave; undefined where none did. */
  readonly title: string | undefined;
  /** Lines that could not be read, such as one torn by a kill. */
  readonly brokenLines: number;
}

/** @throws what reading the file throws */
export async function readOutline(file: string): Promise<ConversationOutline> {
  const tree = new RecordTree();
  const cwds = new Set<string>();
  let title: string | undefined;
  let leaf: string | undefined;
  const brokenLines = await readJsonLines(file, {
    onRecord: (record, line) => {
      if (typeof record.cwd === 'string') cwds.add(record.cwd);
      if (record.type === 'custom-title' && typeof record.customTitle === 'string') {
        title = record.customTitle;
      } else if (record.type === 'last-prompt') {
        leaf = typeof record.leafUuid === 'string' ? record.leafUuid : undefined;
      }
      const node = treeRecord(record, line);
      if (!node) return;
      tree.add(node);
      if (!node.isSidechain) leaf = undefined;
    },
  });
  return { tree, cwds, leaf, title, brokenLines };
}

/** Different folders may share a name on disk; a file without a folder in it is nobody else's. */
export async function belongsTo(cwds: ReadonlySet<string>, cwd: string): Promise<boolean> {
  if (cwds.size === 0 || cwds.has(cwd)) return true;
  const wanted = await realPath(cwd);
  for (const one of cwds) if ((await realPath(one)) === wanted) return true;
  return false;
}
