import { failed, quote } from './demoWords';
import { message, say, text, thinking, toolUse } from './script';
import type { Message, Turn } from './script';

/** The tool that the demo's model writes for the workspace, with what only the editor knows. */
export const DEMO_TOOL = {
  /** As the model calls it once the person has approved it. */
  wireName: 'mcp__workspace__problem_count',
  file: '.patchbay/tools/problem_count.tool.ts',
  source: `import { defineTool, z } from 'patchbay';

export default defineTool({
  description: 'Counts the problems that the editor knows, by file.',
  input: { severity: z.enum(['error', 'any']).default('error') },
  annotations: { readOnlyHint: true },
  run({ severity }, ctx) {
    const { languages, workspace } = ctx.vscode;
    const counts: Record<string, number> = {};
    for (const [uri, problems] of languages.getDiagnostics()) {
      const found = problems.filter((each) => severity === 'any' || each.severity === 0);
      if (found.length > 0) counts[workspace.asRelativePath(uri)] = found.length;
    }
    return counts;
  },
});
`,
} as const;

export function writeToolFile(turn: Turn): Message {
  const [result] = turn.results;
  if (result === undefined) {
    const folder = /Primary working directory: (.+)/.exec(turn.context)?.[1]?.trim() ?? '.';
    return message([
      thinking('The editor knows its problems. A tool file can ask it each time, with no server.'),
      text('I write it as a tool file of this workspace.'),
      toolUse('Write', { file_path: `${folder}/${DEMO_TOOL.file}`, content: DEMO_TOOL.source }),
    ]);
  }
  if (result.isError) return failed('The tool file was not written.', result);
  return say(
    `\`${DEMO_TOOL.file}\` is written. It runs once you have approved it; then say "count the problems with your tool".`,
  );
}

export function callToolFile(turn: Turn): Message {
  const [result] = turn.results;
  if (result === undefined) {
    return message([text('I ask the new tool.'), toolUse(DEMO_TOOL.wireName)]);
  }
  if (result.isError) return failed('The tool did not answer.', result);
  return say(`This is what the tool of this workspace counts:\n\n${quote(result.text)}`);
}
