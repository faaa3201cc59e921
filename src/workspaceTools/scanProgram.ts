import { isRecord } from '../mcp/wire';

export interface SourceImport {
  readonly specifier: string;
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
}

/** What a source says of itself, read from its syntax tree without running it. */
export interface ScannedSource {
  /** Of values: imports of types alone are left out. Those whose name is computed are not known. */
  readonly imports: readonly SourceImport[];
  /** Lines of the exports by their name; `default` is one. */
  readonly exports: ReadonlyMap<string, number>;
  /** Whether `isolation: 'worker'` stands in it. */
  readonly isolation: 'host' | 'worker';
}

type Node = Record<string, unknown> & { readonly type: string };

/** @param program the tree as Babel makes it, before anything in it was changed */
export function scanProgram(program: unknown): ScannedSource {
  const scan = new Scan();
  scan.visit(program);
  // Plain data: it is sent to workers, and kept on the disk.
  const { imports, exports, isolation } = scan;
  return { imports, exports, isolation };
}

/** Keys that lead away from the tree, or to what is no code. */
const NOT_BELOW = new Set([
  'loc',
  'comments',
  'leadingComments',
  'trailingComments',
  'extra',
  'tokens',
]);

class Scan implements ScannedSource {
  readonly imports: SourceImport[] = [];
  readonly exports = new Map<string, number>();
  isolation: 'host' | 'worker' = 'host';

  visit(root: unknown): void {
    // A stack of its own: a tree can be deeper than the stack of calls.
    const waiting: unknown[] = [root];
    for (let next = waiting.pop(); waiting.length > 0 || next !== undefined; next = waiting.pop()) {
      if (Array.isArray(next)) for (const one of next as unknown[]) waiting.push(one);
      if (!isNode(next)) continue;
      if (this.#look(next)) continue;
      // Over all nodes of all files before the first tool can run: no list is made of each.
      for (const key in next) {
        const value = next[key];
        if (typeof value === 'object' && value !== null && !NOT_BELOW.has(key)) waiting.push(value);
      }
    }
    this.imports.sort((a, b) => a.line - b.line || a.column - b.column);
  }

  /** True when there is nothing to look at below it. */
  #look(node: Node): boolean {
    switch (node.type) {
      case 'ImportDeclaration':
        if (node.importKind !== 'type') this.#import(node, node.source);
        return true;
      case 'ExportAllDeclaration':
        if (node.exportKind !== 'type') this.#import(node, node.source);
        return true;
      case 'ExportNamedDeclaration':
        this.#named(node);
        return node.exportKind === 'type';
      case 'ExportDefaultDeclaration':
      case 'TSExportAssignment':
        this.exports.set('default', placeOf(node).line);
        return false;
      case 'TSImportEqualsDeclaration':
        if (isNode(node.moduleReference)) this.#import(node, node.moduleReference.expression);
        return true;
      case 'CallExpression':
        if (isLoader(node.callee)) this.#import(node, firstOf(node.arguments));
        return false;
      case 'ImportExpression':
        this.#import(node, node.source);
        return false;
      case 'AssignmentExpression':
        this.#assigned(node);
        return false;
      case 'ObjectProperty':
        this.#property(node);
        return false;
      default:
        return node.type.startsWith('TS') && node.type.endsWith('Type');
    }
  }

  #import(at: Node, source: unknown): void {
    const specifier = textOf(source);
    if (specifier !== undefined) this.imports.push({ specifier, ...placeOf(at) });
  }

  #named(node: Node): void {
    if (node.exportKind === 'type') return;
    const { declaration, specifiers, source } = node;
    if (isNode(source)) this.#import(node, source);
    for (const one of listOf(specifiers)) {
      const name = nameOf(one.exported);
      if (name !== undefined && one.exportKind !== 'type')
        this.exports.set(name, placeOf(one).line);
    }
    if (!isNode(declaration)) return;
    const name = nameOf(declaration.id);
    if (name !== undefined) this.exports.set(name, placeOf(declaration).line);
    for (const one of listOf(declaration.declarations)) {
      const own = nameOf(one.id);
      if (own !== undefined) this.exports.set(own, placeOf(one).line);
    }
  }

  /** `module.exports = …`, `exports.x = …` */
  #assigned(node: Node): void {
    const { left } = node;
    if (!isNode(left) || left.type !== 'MemberExpression') return;
    const property = nameOf(left.property);
    if (property === undefined) return;
    const { line } = placeOf(node);
    if (nameOf(left.object) === 'module' && property === 'exports')
      this.exports.set('default', line);
    else if (isExports(left.object)) this.exports.set(property, line);
  }

  #property(node: Node): void {
    if (node.computed === true || nameOf(node.key) !== 'isolation') return;
    let { value } = node;
    if (isNode(value) && value.type === 'TSAsExpression') value = value.expression;
    if (textOf(value) === 'worker') this.isolation = 'worker';
  }
}

function isExports(node: unknown): boolean {
  if (nameOf(node) === 'exports') return true;
  return isNode(node) && nameOf(node.object) === 'module' && nameOf(node.property) === 'exports';
}

/** `import(…)`, `require(…)`, `require.resolve(…)` does not load. */
function isLoader(callee: unknown): boolean {
  return isNode(callee) && (callee.type === 'Import' || nameOf(callee) === 'require');
}

function isNode(value: unknown): value is Node {
  return isRecord(value) && typeof value.type === 'string';
}

function listOf(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function firstOf(value: unknown): unknown {
  return listOf(value)[0];
}

/** Of an identifier, or a text in its place. */
function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  return node.type === 'Identifier' && typeof node.name === 'string' ? node.name : textOf(node);
}

/** Of a text, or a template without anything in it. */
function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'StringLiteral' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral') return undefined;
  const parts = listOf(node.quasis);
  const value = parts.length === 1 ? parts[0]?.value : undefined;
  return isRecord(value) && typeof value.cooked === 'string' ? value.cooked : undefined;
}

function placeOf(node: Node): { readonly line: number; readonly column: number } {
  const start = isRecord(node.loc) ? node.loc.start : undefined;
  const { line, column } = isRecord(start) ? start : {};
  return {
    line: typeof line === 'number' ? line : 1,
    column: typeof column === 'number' ? column + 1 : 1,
  };
}
