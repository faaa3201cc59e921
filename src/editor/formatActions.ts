import { ellipsize } from '../base/cutText';
import { count, linesWithin, oneLine, RESULT_LIMIT } from './resultBudget';

/** An offered action as the list shows it. */
export interface ListedAction {
  readonly title: string;
  readonly kind: string;
  readonly isPreferred: boolean;
  /** Text edits; undefined where only running it would tell. */
  readonly places?: number;
  /** 1-based line of its first change in the file. */
  readonly line?: number | undefined;
}

const ROOM = RESULT_LIMIT - 300;
const CANDIDATES = 10;

/**
 * One line an action, with the number by which it is applied.
 * @param notes lines for the end
 */
export function formatActions(
  where: string,
  actions: readonly ListedAction[],
  notes: readonly string[] = [],
): string {
  if (actions.length === 0) return [`no actions at ${where}`, ...notes].join('\n');
  const all = numbered(actions);
  const lines = linesWithin(all, ROOM);
  const rest = actions.length - lines.length;
  const left = rest > 0 ? [`left: ${rest}; give a narrower place`] : [];
  const title = `${count(actions.length, 'action')} at ${ellipsize(where, 200)}`;
  return [title, ...lines, ...left, ...notes].join('\n');
}

/** Those that a call may mean, by their places in the list, with the numbers that they have in it. */
export function formatCandidates(
  why: string,
  actions: readonly ListedAction[],
  meant: readonly number[],
): string {
  const lines = numbered(actions).filter((_, index) => meant.includes(index));
  const more = lines.length - CANDIDATES;
  const left = more > 0 ? [`left: ${more}; call actions without apply for the list`] : [];
  const title = `nothing was changed: ${why}. Give the number`;
  return [title, ...lines.slice(0, CANDIDATES), ...left].join('\n');
}

/** Those with equal titles are told apart by their lines. */
function numbered(actions: readonly ListedAction[]): readonly string[] {
  const seen = new Map<string, number>();
  for (const { title } of actions) seen.set(title, (seen.get(title) ?? 0) + 1);
  return actions.map(
    (action, index) => ` ${index + 1} ${describe(action, (seen.get(action.title) ?? 0) > 1)}`,
  );
}

function describe(
  { title, kind, isPreferred, places, line }: ListedAction,
  isRepeated: boolean,
): string {
  const tags = [
    ...(kind === '' ? [] : [kind]),
    ...(isPreferred ? ['preferred'] : []),
    places === undefined ? 'runs a command' : count(places, 'place'),
    ...(isRepeated && line !== undefined ? [`line ${line}`] : []),
  ];
  return `${oneLine(title, 120)} [${tags.join(', ')}]`;
}
