import { ellipsize } from '../base/cutText';
import { count, linesWithin, oneLine, RESULT_LIMIT } from './resultBudget';

/** An offered action as the list shows it. */
export interface ListedAction {
  readonly title: string;
  readonly kind: string;
  readonly isPreferred: boolean;
  /** Text edits; undefined where only running it would tell. */
  readonly places?: number;
}

const ROOM = RESULT_LIMIT - 300;

/** One line an action, with the number by which it is applied. */
export function formatActions(where: string, actions: readonly ListedAction[]): string {
  if (actions.length === 0) return `no actions at ${where}`;
  const all = actions.map((action, index) => ` ${index + 1} ${describe(action)}`);
  const lines = linesWithin(all, ROOM);
  const rest = actions.length - lines.length;
  const left = rest > 0 ? [`left: ${rest}; give a narrower place`] : [];
  return [`${count(actions.length, 'action')} at ${ellipsize(where, 200)}`, ...lines, ...left].join(
    '\n',
  );
}

function describe({ title, kind, isPreferred, places }: ListedAction): string {
  const tags = [
    ...(kind === '' ? [] : [kind]),
    ...(isPreferred ? ['preferred'] : []),
    places === undefined ? 'runs a command' : count(places, 'place'),
  ];
  return `${oneLine(title, 120)} [${tags.join(', ')}]`;
}
