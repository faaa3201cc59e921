import path from 'node:path';
import ts from 'typescript';

/** What each room may import besides itself. The same table as in CONTRIBUTING's drawing. */
export const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  base: [],
  protocol: ['base'],
  cli: ['base', 'protocol'],
  mcp: ['base'],
  rules: ['base'],
  workFiles: ['base'],
  workspaceTools: ['base', 'mcp', 'rules', 'workFiles'],
  sessions: ['base', 'protocol', 'workFiles'],
  doors: ['base', 'mcp', 'workFiles'],
  chat: ['base', 'protocol', 'rules'],
  webview: ['base', 'chat'],
  conversation: ['base', 'protocol', 'cli', 'mcp', 'rules', 'chat', 'sessions', 'workFiles'],
  editor: ['base', 'mcp', 'rules', 'workFiles'],
  host: [
    'base',
    'protocol',
    'cli',
    'mcp',
    'rules',
    'workFiles',
    'sessions',
    'chat',
    'editor',
    'conversation',
    'doors',
    'workspaceTools',
  ],
};

const PURE = new Set(['base', 'protocol', 'chat', 'webview', 'rules', 'mcp']);
const RUNTIME_VSCODE = new Set(['editor', 'host', '.']);
const ALIAS = /^(#|@\/|~\/|src\/)/;
const BARE_BUILT_IN =
  /^(assert|buffer|child_process|crypto|events|fs|http|https|net|os|path|process|readline|stream|timers|tty|url|util|worker_threads|zlib)(\/|$)/;

export interface ImportFact {
  readonly specifier: string;
  readonly typeOnly: boolean;
}

/** Every import, re-export, dynamic import and import type of one source text. */
export function importsOf(fileName: string, text: string): ImportFact[] {
  const kind = fileName.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true, kind);
  const found: ImportFact[] = [];
  const visit = (node: ts.Node): void => {
    const fact = importFact(node);
    if (fact) found.push(fact);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function importFact(node: ts.Node): ImportFact | undefined {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    return {
      specifier: node.moduleSpecifier.text,
      typeOnly: node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword,
    };
  }
  if (
    ts.isExportDeclaration(node) &&
    node.moduleSpecifier &&
    ts.isStringLiteral(node.moduleSpecifier)
  ) {
    return { specifier: node.moduleSpecifier.text, typeOnly: node.isTypeOnly };
  }
  if (ts.isCallExpression(node)) {
    const callee = node.expression;
    const loads =
      callee.kind === ts.SyntaxKind.ImportKeyword ||
      (ts.isIdentifier(callee) && callee.text === 'require');
    const argument = node.arguments[0];
    if (loads && argument && ts.isStringLiteralLike(argument)) {
      return { specifier: argument.text, typeOnly: false };
    }
  }
  if (
    ts.isImportTypeNode(node) &&
    ts.isLiteralTypeNode(node.argument) &&
    ts.isStringLiteral(node.argument.literal)
  ) {
    return { specifier: node.argument.literal.text, typeOnly: true };
  }
  return undefined;
}

/**
 * Checks source files against the house's rules.
 * @param files path relative to `src/` (with `/`) → text
 * @returns one line per breach; empty when the house stands
 */
export function findBreaches(files: ReadonlyMap<string, string>): string[] {
  const breaches: string[] = [];
  for (const [file, text] of files) {
    const room = roomOf(file);
    if (room !== '.' && !(room in ALLOWED)) breaches.push(`${file}: unknown room ${room}`);
    for (const fact of importsOf(file, text)) {
      const problem = checkImport(file, room, fact);
      if (problem) breaches.push(`${file}: ${problem}`);
    }
  }
  return [...breaches, ...findCycles(files)];
}

function roomOf(file: string): string {
  return file.includes('/') ? (file.split('/')[0] ?? '.') : '.';
}

function checkImport(file: string, room: string, fact: ImportFact): string | undefined {
  const { specifier, typeOnly } = fact;
  if (specifier === 'vscode') {
    return RUNTIME_VSCODE.has(room) || typeOnly ? undefined : 'vscode at run time';
  }
  if (ALIAS.test(specifier)) return `${specifier} is an alias; imports are relative`;
  if (BARE_BUILT_IN.test(specifier)) return `${specifier} without node:`;
  if (specifier.startsWith('node:')) {
    return PURE.has(room) ? `${specifier} in a pure room` : undefined;
  }
  if (!specifier.startsWith('.')) return undefined;
  const target = path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));
  if (target.startsWith('..')) return `${specifier} leads out of src`;
  const other = roomOf(target);
  if (room === '.' || other === room) return undefined;
  if (!(ALLOWED[room] ?? []).includes(other)) return `${room} may not import ${other}`;
  if (room === 'webview' && other === 'chat' && !/(Protocol|\/markdown)$/.test(target)) {
    return `${specifier}: the webview sees chat/*Protocol and chat/markdown only`;
  }
  return undefined;
}

/** Import cycles between files, type-only imports included. */
function findCycles(files: ReadonlyMap<string, string>): string[] {
  const graph = new Map<string, string[]>();
  for (const [file, text] of files) {
    const targets = importsOf(file, text)
      .filter((fact) => fact.specifier.startsWith('.'))
      .map((fact) => resolve(file, fact.specifier, files))
      .filter((target) => target !== undefined);
    graph.set(file, targets);
  }
  const done = new Set<string>();
  const cycles: string[] = [];
  const walk = (file: string, trail: readonly string[]): void => {
    const at = trail.indexOf(file);
    if (at !== -1) {
      cycles.push(`cycle: ${[...trail.slice(at), file].join(' -> ')}`);
      return;
    }
    if (done.has(file)) return;
    for (const target of graph.get(file) ?? []) walk(target, [...trail, file]);
    done.add(file);
  };
  for (const file of graph.keys()) walk(file, []);
  return cycles;
}

function resolve(
  file: string,
  specifier: string,
  files: ReadonlyMap<string, string>,
): string | undefined {
  const base = path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));
  return [`${base}.ts`, `${base}.tsx`, base].find((candidate) => files.has(candidate));
}
