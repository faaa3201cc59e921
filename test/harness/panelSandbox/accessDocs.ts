import { ANNOUNCED } from './announcedTable';
import { CONTRACT, type ContractRow, STATUS_WORDS } from './contract';
import { markdownTable } from './docSection';
import { MESSAGE_KEYS, TALK_KEYS } from './keyTable';

/** What axe has looked at in a state. */
export interface AxeFigures {
  readonly name: string;
  readonly about: string;
  /** Rules that had something to look at. */
  readonly rules: number;
}

/** The generated parts of docs/accessibility.md that need no browser: name and text. */
export function accessSections(): readonly (readonly [string, string])[] {
  return [
    ['contract', contractTable()],
    ['keys', keysTable()],
    ['announced', announcedTable()],
  ];
}

/** States without a finding; a finding fails the test that makes the table. */
export function axeTable(figures: readonly AxeFigures[]): string {
  const rows = figures.map(({ name, about, rules }) => [name, about, String(rules), '0']);
  return markdownTable(['state', 'what is to be seen', 'rules applied', 'findings'], rows);
}

function contractTable(): string {
  const rows = CONTRACT.map((row) => [row.what, row.role, row.name, insideOf(row), row.state]);
  const status = STATUS_WORDS.map(([, words]) => words).join(', ');
  const last = ['state of the turn', 'status', '', status, 'work'];
  return markdownTable(['what', 'role', 'name', 'inside', 'seen in'], [...rows, last]);
}

function insideOf({ buttons = [], holds = [], told = {} }: ContractRow): string {
  const names = [...new Set(buttons)];
  return [
    ...(names.length > 0 ? [`buttons ${names.join(', ')}`] : []),
    ...holds.map(([role, name]) => `${role} ${name}`),
    ...Object.entries(told).map(([name, value]) => `${name}=${value}`),
  ].join('; ');
}

function keysTable(): string {
  const rows = [...Object.values(MESSAGE_KEYS), ...Object.values(TALK_KEYS)];
  return markdownTable(['to', 'keys'], rows);
}

const HOW = {
  polite: 'in the next pause',
  assertive: 'at once',
  status: 'as a state',
  alert: 'as an alert',
} as const;

function announcedTable(): string {
  const rows = ANNOUNCED.map(({ what, said }) => [
    what,
    said.map(([by, words]) => `“${words.replaceAll('\n', ' ')}” (${HOW[by]})`).join(', ') ||
      'nothing',
  ]);
  return markdownTable(['what happens', 'what is said, in an example'], rows);
}
