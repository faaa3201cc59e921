import { type DapScope, type DapVariable, readScopes, readVariables } from './debugProtocol';
import { SilentDebugger } from './debugRequest';
import { count, oneLine } from './resultBudget';
import { ToolProblem } from './toolProblem';

/** Asks the session that the frame is of. */
export type AskSession = (command: string, args: object) => Promise<unknown>;

export interface VariableLimits {
  /** Levels that are opened below the named ones. */
  readonly depth: number;
  /** Variables listed of one scope or value. */
  readonly each: number;
  /** First one that is listed, from 0. */
  readonly from: number;
}

const REQUESTS = 40;
const LINES = 160;
const VALUE_LIMIT = 160;
const NAME_LIMIT = 60;

interface Walk {
  readonly ask: AskSession;
  readonly limits: VariableLimits;
  readonly lines: string[];
  requests: number;
  /** A question was not answered: no other one is asked. */
  isSilent: boolean;
}

/** Where children hang: a scope or a value. */
type Holder = Pick<DapVariable, 'variablesReference' | 'indexedVariables' | 'namedVariables'>;

/** The scopes of a frame with their variables, one line each. Costly ones, such as all globals, are named only. */
export async function listScopes(
  ask: AskSession,
  frameId: number,
  limits: VariableLimits,
): Promise<readonly string[]> {
  const scopes = readScopes(await ask('scopes', { frameId }));
  const walk: Walk = { ask, limits, lines: [], requests: 0, isSilent: false };
  const costly = scopes.filter(({ expensive }) => expensive === true);
  for (const scope of scopes) {
    if (scope.expensive === true || walk.isSilent) continue;
    const before = walk.lines.length;
    walk.lines.push(`${oneLine(scope.name ?? 'variables', NAME_LIMIT)}:`);
    await tryChildren(walk, scope, 1, []);
    if (walk.lines.length === before + 1) walk.lines.pop();
  }
  if (costly.length > 0) {
    walk.lines.push(
      `not opened: ${costly.map(({ name = 'scope' }) => oneLine(name, 40)).join(', ')}`,
    );
  }
  return walk.lines;
}

/**
 * One variable by its way from the frame, `order.items[3].name`, with what is in it.
 * @throws ToolProblem that says what there is where the way ends
 */
export async function listVariable(
  ask: AskSession,
  frameId: number,
  path: string,
  limits: VariableLimits,
): Promise<readonly string[]> {
  const scopes = readScopes(await ask('scopes', { frameId }));
  const [first = '', ...rest] = pathParts(path);
  // Some names have dots themselves.
  let found = await findInScopes(ask, scopes, [path, first]);
  if (found === undefined) throw new ToolProblem(`No variable "${first}" in this frame. See state`);
  for (const part of isNamed(found, path) ? [] : rest)
    found = await findChild(ask, found, part, path);
  return openValue(ask, { ...found, name: path }, limits);
}

/** A value with its children. */
export async function openValue(
  ask: AskSession,
  variable: DapVariable,
  limits: VariableLimits,
): Promise<readonly string[]> {
  const lines = [variableLine(variable, 0)];
  const walk: Walk = { ask, limits, lines, requests: 0, isSilent: false };
  await tryChildren(walk, variable, 1, []);
  return walk.lines;
}

/** The same where a debugger need not be able to: what else is known is worth telling. */
async function tryChildren(
  walk: Walk,
  holder: Holder,
  level: number,
  above: readonly number[],
): Promise<void> {
  try {
    await listChildren(walk, holder, level, above);
  } catch (error) {
    if (!(error instanceof ToolProblem)) throw error;
    walk.lines.push(`${' '.repeat(level)}(${error.message})`);
    walk.isSilent ||= error instanceof SilentDebugger;
  }
}

async function listChildren(
  walk: Walk,
  holder: Holder,
  level: number,
  above: readonly number[],
): Promise<void> {
  const { each, depth } = walk.limits;
  const from = level === 1 ? walk.limits.from : 0;
  const children = await childrenOf(walk, holder, from, each);
  const here = [...above, holder.variablesReference ?? 0];
  let listed = 0;
  for (const child of children.shown) {
    if (walk.lines.length >= LINES) break;
    listed += 1;
    const reference = child.variablesReference ?? 0;
    const isCycle = reference > 0 && here.includes(reference);
    walk.lines.push(variableLine(child, level, isCycle ? ' (cycle)' : ''));
    const isOpened = reference > 0 && level < depth && !isCycle;
    if (isOpened && !walk.isSilent && walk.requests < REQUESTS) {
      await tryChildren(walk, child, level + 1, here);
    }
  }
  const next = from + listed;
  if (children.total <= next) return;
  const rest = count(children.total - next, 'more variable');
  // Where none had room the same page would come again.
  const how = listed > 0 ? `, next: from=${next}` : ', no room here: ask with depth 1';
  walk.lines.push(`${' '.repeat(level)}… ${rest}${level === 1 ? how : ''}`);
}

/**
 * Long lists are asked for in parts where the adapter says how long they are; what has names beside
 * the entries, as the length of a list, comes after them.
 */
async function childrenOf(
  walk: { readonly ask: AskSession; requests: number },
  holder: Holder,
  from: number,
  each: number,
): Promise<{ shown: readonly DapVariable[]; total: number }> {
  const { variablesReference = 0, indexedVariables = 0, namedVariables = 0 } = holder;
  if (variablesReference <= 0) return { shown: [], total: 0 };
  walk.requests += 1;
  const read = async (part: object): Promise<readonly DapVariable[]> =>
    readVariables(await walk.ask('variables', { variablesReference, ...part }));
  if (indexedVariables <= each) return pageOf(await read({}), from, each);
  const length = Math.max(0, Math.min(each, indexedVariables - from));
  const entries = length === 0 ? [] : await read({ filter: 'indexed', start: from, count: length });
  const hasNamed = namedVariables > 0 && length < each;
  const named = hasNamed ? await read({ filter: 'named' }) : [];
  // Some give all, whatever they are asked for.
  if (entries.length > length) return pageOf(entries, from, each);
  if (named.length >= indexedVariables + namedVariables) return pageOf(named, from, each);
  const at = Math.max(0, from - indexedVariables);
  const shown = [...entries, ...named.slice(at, at + each - length)];
  const total = indexedVariables + (hasNamed ? named.length : namedVariables);
  // One that gives nothing more has no more, whatever it said.
  return { shown, total: shown.length === 0 ? from : Math.max(total, from + shown.length) };
}

function pageOf(
  all: readonly DapVariable[],
  from: number,
  each: number,
): { shown: readonly DapVariable[]; total: number } {
  return { shown: all.slice(from, from + each), total: all.length };
}

async function findInScopes(
  ask: AskSession,
  scopes: readonly DapScope[],
  names: readonly string[],
): Promise<DapVariable | undefined> {
  const near = scopes.filter(({ expensive }) => expensive !== true);
  const far = scopes.filter(({ expensive }) => expensive === true);
  let failure: ToolProblem | undefined;
  for (const { variablesReference } of [...near, ...far]) {
    try {
      const all = readVariables(await ask('variables', { variablesReference }));
      for (const name of names) {
        const found = all.find((variable) => isNamed(variable, name));
        if (found) return found;
      }
    } catch (error) {
      if (!(error instanceof ToolProblem) || error instanceof SilentDebugger) throw error;
      failure ??= error;
    }
  }
  // It may be in the one that cannot be read.
  if (failure !== undefined) throw failure;
  return undefined;
}

async function findChild(
  ask: AskSession,
  parent: DapVariable,
  name: string,
  path: string,
): Promise<DapVariable> {
  const { variablesReference = 0, indexedVariables = 0 } = parent;
  if (variablesReference <= 0) throw new ToolProblem(`"${path}": nothing is inside before ${name}`);
  const index = /^\d+$/u.test(name) ? Number(name) : undefined;
  const part =
    index !== undefined && index < indexedVariables
      ? { filter: 'indexed', start: index, count: 1 }
      : {};
  const all = readVariables(await ask('variables', { variablesReference, ...part }));
  const found =
    all.find((variable) => isNamed(variable, name)) ??
    // By its number: some give all, whatever they are asked for.
    ('filter' in part ? all[all.length > 1 ? (index ?? 0) : 0] : undefined);
  if (found) return found;
  const names = all.slice(0, 8).map((variable) => variable.name ?? '?');
  throw new ToolProblem(`"${path}": no ${name} there. It has: ${names.join(', ')}`);
}

function pathParts(path: string): readonly string[] {
  const parts = path.match(/\["[^"]*"\]|\['[^']*'\]|\[[^\]]*\]|->|(?:(?!->)[^.[\]])+/gu) ?? [];
  // A pointer's member, in languages that have it.
  const names = parts.filter((part) => part !== '->');
  return names.map((part) => part.replace(/^\[["']?|["']?\]$/gu, ''));
}

/** Adapters write an index as `3` or `[3]`, a key as `a`, `'a'` or `"a"`. */
function isNamed({ name = '' }: DapVariable, wanted: string): boolean {
  return name === wanted || name.replace(/^\[?["']?|["']?\]?$/gu, '') === wanted;
}

function variableLine(variable: DapVariable, level: number, tail = ''): string {
  const { name = '', value = '', type = '' } = variable;
  const text = value === '' ? type : value;
  return `${' '.repeat(level)}${oneLine(name, NAME_LIMIT)} = ${oneLine(text, VALUE_LIMIT)}${tail}`;
}
