import type {
  ServerApprovalCard,
  ToolFilesApprovalCard,
  ViewState,
} from '../../../src/chat/viewStateProtocol';
import { toolFilesCard } from '../../../src/host/toolFilesCard';
import type { FileChange } from '../../../src/workspaceTools/toolFile';
import { workState } from './states';

const TODO = [
  "import { defineTool, z } from 'patchbay';",
  '',
  'export default defineTool({',
  "  description: 'Counts TODO marks by owner in the open workspace.',",
  "  input: { owner: z.string().optional().describe('only this owner') },",
  '  async run({ owner }, ctx) {',
  "    const files = await ctx.vscode.workspace.findFiles('**/*.ts', '**/node_modules/**');",
  '    return { total: files.length, owner };',
  '  },',
  '});',
  '',
].join('\n');

const added: FileChange = {
  relativePath: '.patchbay/tools/todo.tool.ts',
  kind: 'added',
  before: undefined,
  after: TODO,
  bytes: TODO.length,
};

const changed: FileChange = {
  relativePath: '.patchbay/tools/todo.tool.ts',
  kind: 'changed',
  before: TODO,
  after: TODO.replace("'**/*.ts'", "'**/*.{ts,js}'").replace('files.length', 'files.length + 1'),
  bytes: TODO.length + 9,
};

const removed: FileChange = {
  relativePath: '.patchbay/tools/lib/anOlderHelperWithAQuiteLongName.ts',
  kind: 'removed',
  before: 'export const old = 1;\n',
  after: undefined,
  bytes: 0,
};

const long: FileChange = {
  relativePath: '.patchbay/data/owners.json',
  kind: 'added',
  before: undefined,
  after: Array.from({ length: 900 }, (_, i) => `{ "owner": ${i} }`).join('\n'),
  bytes: 17_800,
};

/** A card as the host makes it. */
export function filesCard(
  changes: readonly FileChange[],
  more: { readonly packages?: readonly string[]; readonly isFirst?: boolean } = {},
): ToolFilesApprovalCard {
  return toolFilesCard({
    id: 'files-1',
    folder: '/home/me/shop',
    server: 'workspace',
    changes,
    packages: [],
    isFirst: false,
    signal: new AbortController().signal,
    ...more,
  });
}

/** New, changed and removed, long and with packages. */
export const filesCards = {
  first: () => filesCard([added], { isFirst: true }),
  changed: () => filesCard([changed, removed, long], { packages: ['left-pad', '@acme/owners'] }),
  many: () =>
    filesCard(
      Array.from({ length: 60 }, (_, i) => ({
        ...long,
        relativePath: `.patchbay/tools/number${i}.tool.ts`,
      })),
      { isFirst: true },
    ),
};

export function approvalState(card: ToolFilesApprovalCard): ViewState {
  return { ...workState(), permissions: [], approvals: [card] };
}

/** A server that the workspace brings, changed since it was last answered. */
export const serverCard: ServerApprovalCard = {
  ...{ kind: 'server' as const, id: 'server-1', name: 'database' },
  ...{ body: 'npx -y database-server', bodyKind: 'command' as const, changed: true },
};
