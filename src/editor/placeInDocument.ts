import * as vscode from 'vscode';
import { type AskBounds, askOutline, type OutlineNode } from './documentOutline';
import { kindWord } from './formatSymbols';
import { isMeantIn, type Meaning, sortMeanings } from './meanings';
import { nearestNames } from './pathDisplay';
import {
  bareName,
  columnsMeant,
  columnsOf,
  liesIn,
  namesIn,
  readSymbolName,
  type SymbolName,
} from './symbolName';
import { ToolProblem } from './toolProblem';

/** A place that may be meant. */
export interface Spot {
  readonly position: vscode.Position;
  readonly name: string | undefined;
  /** What to show for it in a choice; the line of code by default. */
  readonly text?: string;
}

export interface FoundSpots {
  /** One at least. */
  readonly spots: readonly Spot[];
  readonly notes: readonly string[];
}

export interface NameQuestion {
  readonly document: vscode.TextDocument;
  readonly path: string;
  readonly symbol: string;
  /** 1-based, and inside the document. */
  readonly line?: number;
  readonly column?: number;
}

export interface LineQuestion {
  readonly document: vscode.TextDocument;
  readonly line: number;
  readonly column?: number;
  readonly need: 'name' | 'line';
}

/** Occurrences of one name that are looked for; more say nothing new. */
const OCCURRENCES = 200;
const NAMES = 1_500;

/**
 * A name in a document: on the given line, else where it is declared, else where it occurs. Places
 * that mean the same are one.
 * @throws ToolProblem where the name does not occur, with the nearest ones
 */
export async function findByName(question: NameQuestion, bounds: AskBounds): Promise<FoundSpots> {
  const { document, line, column } = question;
  const readings = readSymbolName(question.symbol);
  if (line !== undefined) {
    const here = onLine(document, readings, line - 1);
    if (here.length > 0) return { spots: await pick(document, here, column, bounds), notes: [] };
  }
  const notes =
    line === undefined ? [] : [`(line ${line} has no '${question.symbol}': taken from elsewhere)`];
  const nodes = await outlineOf(document, bounds);
  for (const reading of readings) {
    const declared = nodes.filter((node) => isNamed(node, reading));
    const spots = declared.map((node) => spotOf(document, node, reading.name));
    if (spots.length > 0) {
      return { spots: nearest(await oneEach(document, spots, bounds), line), notes };
    }
  }
  const found = await byOccurrence(document, readings, bounds);
  if (found === undefined) throw unknownName(question, nodes);
  return { spots: nearest(found.spots, line), notes: [...notes, ...found.notes] };
}

/** What stands on a line: at the column, else its only name; without names its first letter. */
export async function findByLine(
  { document, line, column, need }: LineQuestion,
  bounds: AskBounds,
): Promise<FoundSpots> {
  const { text, firstNonWhitespaceCharacterIndex: first } = document.lineAt(line - 1);
  if (column !== undefined) {
    const inside = Math.min(Math.max(column, 1) - 1, text.length);
    const position = new vscode.Position(line - 1, inside);
    const notes = inside === column - 1 ? [] : [`(line ${line} ends at column ${text.length + 1})`];
    return { spots: [{ position, name: wordAt(document, position) }], notes };
  }
  const start = new vscode.Position(line - 1, Math.min(first, text.length));
  if (need === 'line') return { spots: [{ position: start, name: undefined }], notes: [] };
  const declared = (await outlineOf(document, bounds)).filter((node) => node.line === line);
  if (declared.length === 1) {
    return {
      spots: declared.map((node) => spotOf(document, node, bareName(node.name))),
      notes: [],
    };
  }
  const names = namesIn(text, 40).flatMap((name): readonly Spot[] => {
    const [at] = columnsOf(name, text);
    if (at === undefined) return [];
    return [{ position: new vscode.Position(line - 1, at), name, text: name }];
  });
  if (names.length === 0) {
    throw new ToolProblem(`Line ${line} has no name. Give the symbol, or another line`);
  }
  return { spots: await oneEach(document, names, bounds), notes: [] };
}

/** Which of a name's places on a line: the one at the column, else one of each meaning. */
async function pick(
  document: vscode.TextDocument,
  here: readonly Spot[],
  column: number | undefined,
  bounds: AskBounds,
): Promise<readonly Spot[]> {
  if (column === undefined) return oneEach(document, here, bounds);
  const distance = ({ position }: Spot): number => Math.abs(position.character + 1 - column);
  return [...here].sort((a, b) => distance(a) - distance(b)).slice(0, 1);
}

/** One spot of each meaning, in their order. */
async function oneEach(
  document: vscode.TextDocument,
  spots: readonly Spot[],
  bounds: AskBounds,
): Promise<readonly Spot[]> {
  if (spots.length < 2) return spots;
  const meanings = await sortMeanings(
    document,
    spots.map(({ position }) => position),
    bounds,
  );
  return spotsOf(meanings, spots);
}

async function byOccurrence(
  document: vscode.TextDocument,
  readings: readonly SymbolName[],
  bounds: AskBounds,
): Promise<FoundSpots | undefined> {
  for (const reading of readings) {
    const { name, containers } = reading;
    const spots = occurrences(document, reading);
    if (spots.length === 0) continue;
    const positions = spots.map(({ position }) => position);
    const meanings = await sortMeanings(document, positions, bounds);
    if (containers.length === 0) return { spots: spotsOf(meanings, spots), notes: [] };
    const inside = await inContainers(document, meanings, containers, bounds);
    if (inside.length > 0) return { spots: spotsOf(inside, spots), notes: [] };
    const note = `(not known whether this '${name}' is in '${containers.join('.')}')`;
    return { spots: spotsOf(meanings, spots), notes: [note] };
  }
  return undefined;
}

/** Of `Class.method` those that are the class's, or that stand behind the name of their holder. */
async function inContainers(
  document: vscode.TextDocument,
  meanings: readonly Meaning[],
  containers: readonly string[],
  bounds: AskBounds,
): Promise<readonly Meaning[]> {
  const owned = await Promise.all(meanings.map((one) => isMeantIn(one, containers, bounds)));
  const inside = meanings.filter((_, index) => owned[index]);
  if (inside.length > 0) return inside;
  const holder = containers.at(-1) ?? '';
  return meanings.filter(({ places }) =>
    places.some(({ line, character }) => {
      const before = document.lineAt(line).text.slice(0, character);
      return before.replace(/(?:[?!]?\.|::|->|#)\s*$/u, '').endsWith(holder);
    }),
  );
}

function spotsOf(meanings: readonly Meaning[], spots: readonly Spot[]): readonly Spot[] {
  const firsts = new Set(meanings.map(({ places }) => places[0]));
  return spots.filter(({ position }) => firsts.has(position));
}

function onLine(
  document: vscode.TextDocument,
  readings: readonly SymbolName[],
  line: number,
): readonly Spot[] {
  for (const reading of readings) {
    const spots = spotsOnLine(document, reading, line);
    if (spots.length > 0) return spots;
  }
  return [];
}

function occurrences(document: vscode.TextDocument, reading: SymbolName): readonly Spot[] {
  const spots: Spot[] = [];
  for (let line = 0; line < document.lineCount && spots.length < OCCURRENCES; line += 1) {
    spots.push(...spotsOnLine(document, reading, line));
  }
  return spots;
}

function spotsOnLine(
  document: vscode.TextDocument,
  reading: SymbolName,
  line: number,
): readonly Spot[] {
  const name = reading.name.slice(reading.before);
  return columnsMeant(reading, document.lineAt(line).text).map((column) => ({
    position: new vscode.Position(line, column),
    name,
  }));
}

/** The outline, or none where there is no provider or it fails: the text itself is searched then. */
async function outlineOf(
  document: vscode.TextDocument,
  bounds: AskBounds,
): Promise<readonly OutlineNode[]> {
  try {
    return (await askOutline(document, bounds)).nodes;
  } catch (error) {
    if (error instanceof ToolProblem && !bounds.signal.aborted) return [];
    throw error;
  }
}

function isNamed(node: OutlineNode, { name, containers }: SymbolName): boolean {
  const isSame = node.name === name || bareName(node.name) === name;
  return isSame && liesIn(containers, node.containers);
}

/** Where the name itself stands: a provider may give the start of the whole declaration. */
function spotOf(document: vscode.TextDocument, node: OutlineNode, name: string): Spot {
  const last = document.lineCount - 1;
  const from = Math.min(Math.max(node.line - 1, 0), last);
  const to = Math.min(Math.max(node.range.end.line, from), from + 20, last);
  const holder = node.containers.length > 0 ? ` (${node.containers.join('.')})` : '';
  const text = `${kindWord(node.kind)} ${node.name}${holder}`;
  for (let line = from; line <= to; line += 1) {
    const columns = columnsOf(name, document.lineAt(line).text);
    const at = columns.find((column) => line > from || column >= node.column - 1);
    if (at !== undefined) return { position: new vscode.Position(line, at), name, text };
  }
  const given = new vscode.Position(from, Math.max(node.column - 1, 0));
  return { position: document.validatePosition(given), name, text };
}

function nearest(spots: readonly Spot[], line: number | undefined): readonly Spot[] {
  if (line === undefined) return spots;
  const distance = ({ position }: Spot): number => Math.abs(position.line + 1 - line);
  return [...spots].sort((a, b) => distance(a) - distance(b));
}

function wordAt(document: vscode.TextDocument, position: vscode.Position): string | undefined {
  const range = document.getWordRangeAtPosition(position);
  return range && document.getText(range);
}

function unknownName(
  { document, path, symbol }: NameQuestion,
  nodes: readonly OutlineNode[],
): ToolProblem {
  const declared = nodes.map(({ name }) => bareName(name));
  const known = new Set([...declared, ...namesIn(document.getText(), NAMES)]);
  const names = nearestNames(symbol, [...known].slice(0, NAMES));
  const hint = names.length > 0 ? ` Nearest: ${names.join(', ')}.` : '';
  return new ToolProblem(
    `No '${symbol.slice(0, 50)}' in ${path.slice(-90)}.${hint} Leave out path to search the workspace`,
  );
}
