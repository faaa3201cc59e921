import * as vscode from 'vscode';
import { isRecord } from '../mcp/wire';
import { boundedCall } from './boundedCall';
import type { RawProblem } from './problem';
import { isTypeScript } from './scriptLanguage';
import { ToolProblem } from './toolProblem';

const COMMAND = 'typescript.tsserverRequest';
/** A first request waits until the project is loaded. */
const TIMEOUT_MS = 15_000;
/**
 * Codes that the TypeScript extension shows as warnings while the server calls them errors:
 * unused names, unreachable code, unused labels, fall-through, missing returns.
 */
const STYLE_CODES = new Set([6133, 6138, 6192, 6196, 7027, 7028, 7029, 7030]);

/** Sources that the TypeScript extension reports under. */
export const TYPESCRIPT_SOURCES: ReadonlySet<string> = new Set(['ts', 'js']);

/**
 * Asks the TypeScript server itself, which answers also for documents without a tab and always for
 * the text as it is now. The command is undocumented: it may be missing, refuse, or answer in
 * another shape.
 * @returns undefined where it cannot be asked
 */
export async function askTypeScript(
  document: vscode.TextDocument,
  signal: AbortSignal,
): Promise<readonly RawProblem[] | undefined> {
  if (!isTypeScript(document) || !validates(document)) return undefined;
  if (!(await hasCommand(signal))) return undefined;
  try {
    const answers = await Promise.all([
      request('syntacticDiagnosticsSync', document, signal),
      request('semanticDiagnosticsSync', document, signal),
      request('suggestionDiagnosticsSync', document, signal),
    ]);
    const [syntactic, semantic, suggestions] = answers;
    if (syntactic === undefined || semantic === undefined) return undefined;
    return [...syntactic, ...semantic, ...(suggestions ?? [])];
  } catch (error) {
    if (error instanceof ToolProblem) return undefined;
    throw error;
  }
}

/** Commands do not go away again, and asking for their list is slow. */
let commandSeen = false;

/** The command appears when the extension, started by the document, is ready. */
async function hasCommand(signal: AbortSignal): Promise<boolean> {
  if (commandSeen) return true;
  const extension = vscode.extensions.getExtension('vscode.typescript-language-features');
  if (extension === undefined) return false;
  const bounds = { timeoutMs: TIMEOUT_MS, signal, who: 'The TypeScript extension' };
  try {
    await boundedCall(() => extension.activate(), bounds);
    const commands = await boundedCall(() => vscode.commands.getCommands(false), bounds);
    commandSeen = commands.includes(COMMAND);
    return commandSeen;
  } catch (error) {
    if (error instanceof ToolProblem) return false;
    throw error;
  }
}

/** The newer setting is one for both languages; where it is set the older ones do not count. */
function validates(document: vscode.TextDocument): boolean {
  const both = vscode.workspace.getConfiguration('js/ts', document);
  const set = Object.entries(both.inspect('validate.enabled') ?? {}).some(
    ([key, value]) => /^(?:global|workspace).*Value$/u.test(key) && value !== undefined,
  );
  if (set) return both.get<boolean>('validate.enabled', true);
  const section = document.languageId.startsWith('typescript') ? 'typescript' : 'javascript';
  const config = vscode.workspace.getConfiguration(section, document.uri);
  return config.get<boolean>('validate.enable', true);
}

async function request(
  command: string,
  document: vscode.TextDocument,
  signal: AbortSignal,
): Promise<readonly RawProblem[] | undefined> {
  const answer = await boundedCall<unknown>(
    () => vscode.commands.executeCommand(COMMAND, command, { file: document.uri }),
    { timeoutMs: TIMEOUT_MS, signal, who: 'The TypeScript server' },
  );
  if (!isRecord(answer) || !Array.isArray(answer.body)) return undefined;
  const source = document.languageId.startsWith('typescript') ? 'ts' : 'js';
  return answer.body.flatMap((entry: unknown) => readProblem(entry, source));
}

/** `{start:{line,offset} (1-based), text, code, category}`; anything else is skipped. */
function readProblem(entry: unknown, source: string): readonly RawProblem[] {
  if (!isRecord(entry) || !isRecord(entry.start)) return [];
  const { line, offset } = entry.start;
  const { text, code, category } = entry;
  if (typeof line !== 'number' || typeof offset !== 'number' || typeof text !== 'string') return [];
  return [
    {
      severity: severityOf(category, code),
      message: text,
      range: { start: { line: line - 1, character: offset - 1 } },
      source,
      ...(typeof code === 'number' ? { code } : {}),
      relatedInformation: readRelated(entry.relatedInformation),
    },
  ];
}

/** `[{span:{file, start:{line,offset}}, message}]`; anything else is skipped. */
function readRelated(value: unknown): RawProblem['relatedInformation'] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) => {
    if (!isRecord(entry) || !isRecord(entry.span) || !isRecord(entry.span.start)) return [];
    const { file, start } = entry.span;
    const { line, offset } = start;
    if (typeof file !== 'string' || typeof line !== 'number' || typeof offset !== 'number') {
      return [];
    }
    const range = { start: { line: line - 1, character: offset - 1 } };
    const message = typeof entry.message === 'string' ? entry.message : '';
    return [{ message, location: { uri: vscode.Uri.file(file), range } }];
  });
}

function severityOf(category: unknown, code: unknown): vscode.DiagnosticSeverity {
  if (category === 'suggestion') return vscode.DiagnosticSeverity.Hint;
  if (category === 'message') return vscode.DiagnosticSeverity.Information;
  if (category === 'warning') return vscode.DiagnosticSeverity.Warning;
  const style = typeof code === 'number' && STYLE_CODES.has(code);
  return style ? vscode.DiagnosticSeverity.Warning : vscode.DiagnosticSeverity.Error;
}
