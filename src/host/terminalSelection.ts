import { commands, env, LanguageModelTextPart, lm, window } from 'vscode';
import { withoutSecretValues } from '../editor/terminalText';

/** How the editor's own tool begins its answer where something is selected. */
const TOOL = 'terminal_selection';
const ANSWER = /^The active terminal's selection:\r?\n/;
/** A longer one is cut: its end says most. */
const MOST = 60_000;

/**
 * What is selected in the terminal that was used last; undefined for nothing. `Terminal.selection` is
 * a proposal, so the editor's own tool is asked, and where it is missing the clipboard is borrowed.
 */
export async function terminalSelection(): Promise<string | undefined> {
  if (window.activeTerminal === undefined) return undefined;
  const text = (await askTool()) ?? (await borrowClipboard());
  return text === undefined ? undefined : withoutSecretValues(text.slice(-MOST));
}

async function askTool(): Promise<string | undefined> {
  if (!lm.tools.some(({ name }) => name === TOOL)) return undefined;
  try {
    const { content } = await lm.invokeTool(TOOL, { input: {}, toolInvocationToken: undefined });
    const text = content
      .map((part) => (part instanceof LanguageModelTextPart ? part.value : ''))
      .join('');
    return ANSWER.test(text) ? text.replace(ANSWER, '') : undefined;
  } catch {
    // Not every version lets others call it.
    return undefined;
  }
}

async function borrowClipboard(): Promise<string | undefined> {
  const before = await env.clipboard.readText();
  // Else what stood there already would look like a selection.
  await env.clipboard.writeText('');
  try {
    await commands.executeCommand('workbench.action.terminal.copySelection');
    const text = await env.clipboard.readText();
    return text === '' ? undefined : text;
  } finally {
    await env.clipboard.writeText(before);
  }
}
