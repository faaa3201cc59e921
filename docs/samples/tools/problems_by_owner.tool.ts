import { defineTool, z } from 'patchbay';
import { ownerOf, readOwners } from '../lib/codeOwners.ts';

export default defineTool({
  description:
    'Counts the problems that the editor shows now, by the owner that CODEOWNERS names for the file.',
  input: {
    warnings: z.boolean().default(false).describe('count warnings too, not only errors'),
  },
  annotations: { readOnlyHint: true },
  async run({ warnings }, ctx) {
    const { languages, workspace, DiagnosticSeverity } = ctx.vscode;
    const owners = await readOwners(ctx.workspaceFolder.uri.fsPath);
    const least = warnings ? DiagnosticSeverity.Warning : DiagnosticSeverity.Error;
    const counts = new Map<string, number>();
    for (const [uri, problems] of languages.getDiagnostics()) {
      const count = problems.filter(({ severity }) => severity <= least).length;
      if (count === 0 || workspace.getWorkspaceFolder(uri) !== ctx.workspaceFolder) continue;
      const owner = ownerOf(owners, workspace.asRelativePath(uri, false));
      counts.set(owner, (counts.get(owner) ?? 0) + count);
    }
    return counts;
  },
});
