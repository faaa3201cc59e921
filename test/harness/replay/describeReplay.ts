import { isAsRecorded, type ReplayReport } from '../../../src/conversation/wire/replay';

/** The report as text: the conversation, then what is to be said of it. */
export function describeReplay(file: string, report: ReplayReport): string {
  const { frames, cli, tools, unanswered, answers, noise, lost, errors } = report;
  const version = cli === undefined ? '' : `, CLI ${cli}`;
  return [
    `${file}: ${frames} frames${version}`,
    ...section('Conversation', [report.transcript === '' ? '(none)' : report.transcript]),
    ...list(
      'Tool calls',
      tools.map(({ name, state }) => `${name}: ${state}`),
    ),
    ...list('Unanswered requests', unanswered),
    ...list('Answers that differ from the file', answers.different),
    ...list('Errors', errors),
    '',
    `${answers.same} answers the same, ${answers.takenOver} taken from the file, ${answers.different.length} different`,
    ...(noise > 0 ? [`${noise} lines were no messages`] : []),
    ...(lost > 0 ? [`${lost} lines had been too long to be taken`] : []),
    isAsRecorded(report) ? 'As recorded.' : 'Not as recorded.',
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return ['', `--- ${title}`, '', ...lines];
}

function list(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : section(`${title} (${lines.length})`, lines);
}
