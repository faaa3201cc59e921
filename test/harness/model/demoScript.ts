import { LONG_ANSWER, PLAN, QUESTIONS, WHAT_TO_ASK } from './demoAnswers';
import { callToolFile, writeToolFile } from './demoToolFile';
import { failed, quote } from './demoWords';
import { message, say, text, thinking, toolUse } from './script';
import type { Message, ToolResult, Turn } from './script';

/** The planted error of the sample workspace, and the edit that mends it. */
export const PLANTED = {
  file: 'src/report.ts',
  /** What the TypeScript server says of it. */
  message: "Type 'string' is not assignable to type 'number'.",
  before: 'const total: number = formatMoney(calcTotal(cart));',
  after: 'const total = formatMoney(calcTotal(cart));',
} as const;

interface Rule {
  readonly when: RegExp;
  readonly reply: (turn: Turn) => Message;
}

const SUM = /^what is (-?\d+(?:\.\d+)?) ?\+ ?(-?\d+(?:\.\d+)?)\?/i;

// The first that fits answers: a request to mend something may well mention errors or tests.
const RULES: readonly Rule[] = [
  // Tests that drive tools one after the other: `call [[name, input], …]`.
  { when: /^call \[/, reply: callInTurn },
  // The sample extension of the host suite.
  { when: /^greet \w+/i, reply: greet },
  // The calculator of the tour.
  { when: SUM, reply: addNumbers },
  { when: /^plan\b/i, reply: proposePlan },
  { when: /\bask me\b/i, reply: askPerson },
  { when: /\b(write|make)\b.*\btool\b/i, reply: writeToolFile },
  { when: /\bcount\b.*\btool\b/i, reply: callToolFile },
  { when: /\b(fix|mend|repair|correct)\b/i, reply: fixError },
  { when: /\b(run|start)\b.*\btests?\b|\bnpm test\b/i, reply: runTests },
  { when: /\b(errors?|problems?|warnings?|diagnostics?)\b/i, reply: findErrors },
  {
    when: /\bopen\b.*\b(files?|editors?|tabs?)\b|\b(files?|editors?|tabs?)\b.*\bopen\b/i,
    reply: listOpen,
  },
  { when: /\b(explain|long|length|describe)\b/i, reply: explain },
  { when: /\b(where|defined|definition|symbols?|find)\b/i, reply: findSymbol },
  { when: /\b(read|show)\b.*\S+\.\w+/i, reply: readFile },
];

/** The model of `npm start` without a login: it answers by keywords and quotes what tools said. */
export function demoScript(turn: Turn): Message {
  const rule = RULES.find((each) => each.when.test(turn.prompt));
  return rule === undefined ? say(WHAT_TO_ASK) : rule.reply(turn);
}

function callInTurn({ prompt, step }: Turn): Message {
  // Written by a test.
  const calls = JSON.parse(prompt.slice('call '.length)) as readonly (readonly [string, object])[];
  const [name, input] = calls[step] ?? [];
  return name === undefined ? say('All called.') : message([toolUse(name, { ...input })]);
}

function greet(turn: Turn): Message {
  const [result] = turn.results;
  if (result !== undefined) return say(quote(result.text));
  const name = turn.prompt.split(' ')[1] ?? '';
  return message([toolUse('mcp__acme_sample__greet', { name })]);
}

function addNumbers(turn: Turn): Message {
  const [, a = '', b = ''] = SUM.exec(turn.prompt) ?? [];
  const [result] = turn.results;
  if (result === undefined) {
    return message([toolUse('mcp__calculator__add', { a: Number(a), b: Number(b) })]);
  }
  if (result.isError) return failed('The numbers could not be added.', result);
  return say(`${a} + ${b} is ${result.text}.`);
}

/** Shows the panel's card for the model's questions. */
function askPerson(turn: Turn): Message {
  const [result] = turn.results;
  if (result?.isError === true) return failed('You did not want to answer.', result);
  if (result !== undefined) return say(`This is what I was told:\n\n${quote(result.text)}`);
  return message([text('Two things I would like to know.'), toolUse('AskUserQuestion', QUESTIONS)]);
}

/** Writes its plan where the CLI says, and asks for approval. */
function proposePlan({ step, results, context }: Turn): Message {
  const exit = results.findLast(({ name }) => name === 'ExitPlanMode');
  if (exit?.isError === true) return failed('You want to keep planning.', exit);
  if (exit !== undefined) return say(`I would go by this:\n\n${quote(exit.text)}`);
  const told = [context, ...results.map((result) => result.text)].join('\n');
  const file = namedPlanFile(told) ?? 'no plan file named';
  const steps = [
    message([text('I look before I leap.'), toolUse('EnterPlanMode')]),
    message([toolUse('Write', { file_path: file, content: PLAN })]),
  ];
  return steps[step] ?? message([toolUse('ExitPlanMode')]);
}

/** The path may have blanks: it begins behind one, with its root. */
export function namedPlanFile(told: string): string | undefined {
  return /(?<=^|[\s"'`])(?:\/|[A-Za-z]:\\)[^\n"'`]*?[/\\]plans[/\\][\w-]+\.md/m.exec(told)?.[0];
}

function findErrors(turn: Turn): Message {
  const [result] = turn.results;
  if (result === undefined) {
    return message([
      thinking('The editor has a language server running. Its own list is better than a guess.'),
      text('I ask the language server for its problems.'),
      toolUse('mcp__code__diagnostics', /\bopen\b/i.test(turn.prompt) ? { path: 'open' } : {}),
    ]);
  }
  if (result.isError) return failed('The problems could not be read.', result);
  const advice = result.text.includes(PLANTED.message)
    ? '\n\n`formatMoney` returns text, but the constant is declared as a number. Say "fix the type error" and I propose an edit.'
    : '';
  return say(`This is what the language server reports:\n\n${quote(result.text)}${advice}`);
}

function listOpen(turn: Turn): Message {
  const [result] = turn.results;
  if (result === undefined) {
    return message([text('I look at the open editors.'), toolUse('mcp__editor__open_editors')]);
  }
  if (result.isError) return failed('The open editors could not be listed.', result);
  return say(`These are open:\n\n${quote(result.text)}`);
}

function findSymbol(turn: Turn): Message {
  const query = symbolIn(turn.prompt);
  const [result] = turn.results;
  if (result === undefined) {
    return message([
      text(`I look \`${query}\` up in the workspace.`),
      toolUse('mcp__code__symbols', { query }),
    ]);
  }
  if (result.isError) return failed('The symbol could not be looked up.', result);
  return say(`For \`${query}\` the language server knows:\n\n${quote(result.text)}`);
}

function readFile(turn: Turn): Message {
  const path = /[\w./-]+\.\w+/.exec(turn.prompt)?.[0] ?? PLANTED.file;
  const [result] = turn.results;
  if (result === undefined) {
    return message([
      text(`I read \`${path}\` as it stands in the editor.`),
      toolUse('mcp__editor__read_buffer', { path }),
    ]);
  }
  if (result.isError) return failed('The file could not be read.', result);
  return say(`\`${path}\` holds:\n\n${quote(result.text)}`);
}

function fixError(turn: Turn): Message {
  const problems = turn.results.find((each) => each.name === 'mcp__code__diagnostics');
  const edit = turn.results.find((each) => each.name === 'Edit');
  if (problems === undefined) {
    return message([
      text('First the exact place, from the language server.'),
      // All of them: a second call tells only what changed since the first.
      toolUse('mcp__code__diagnostics', { severity: 'error', full: true }),
    ]);
  }
  if (problems.isError)
    return failed('The problems could not be read, so nothing was changed.', problems);
  if (edit === undefined) return proposeEdit(turn, problems);
  if (edit.isError) return failed('The edit was not made.', edit);
  return say(
    `The type in \`${PLANTED.file}\` is mended: the constant now takes the type of what \`formatMoney\` returns. Shall I run the tests?`,
  );
}

function proposeEdit(turn: Turn, problems: ToolResult): Message {
  if (!problems.text.includes(PLANTED.message)) {
    return say(
      `I only know how to mend the sample's type error, and it is not among the problems:\n\n${quote(problems.text)}`,
    );
  }
  const folder = /Primary working directory: (.+)/.exec(turn.context)?.[1]?.trim() ?? '.';
  return message([
    thinking('formatMoney returns a string. The annotation is wrong, the call is right.'),
    text(
      `The annotation in \`${PLANTED.file}\` is wrong, the call is right. I propose to drop it.`,
    ),
    toolUse('Edit', {
      file_path: `${folder}/${PLANTED.file}`,
      old_string: PLANTED.before,
      new_string: PLANTED.after,
    }),
  ]);
}

function runTests(turn: Turn): Message {
  const [result] = turn.results;
  if (result === undefined) {
    return message([
      text('I run the tests of the project.'),
      toolUse('Bash', { command: 'npm test', description: 'Run the tests' }),
    ]);
  }
  if (result.isError) return failed('The tests did not pass or were not run.', result);
  const passed = /^\S*\s*pass (\d+)/m.exec(result.text)?.[1];
  const summary = passed === undefined ? 'The tests ran' : `${passed} tests pass`;
  return say(`${summary}. The end of the output:\n\n${quote(lastLines(result.text, 8))}`);
}

function explain(): Message {
  return message([thinking('A long answer: how a cart becomes a figure.'), text(LONG_ANSWER)]);
}

/** The symbol that a question names: in backticks, after "where is", or written like code. */
export function symbolIn(prompt: string): string {
  const named =
    /`([\w$.]+)`/.exec(prompt) ??
    /\b((?:[a-z]+[A-Z]|[A-Z][a-z]+[A-Z])\w*)\b/.exec(prompt) ??
    /\bwhere(?:'s| is| are)(?: the| a)?(?: function| class| type| symbol)? (\w+)/i.exec(prompt) ??
    /\b(?:symbols?|find|definition of)(?: the)?(?: symbol| function| class| type)?(?: called| named)? (\w+)/i.exec(
      prompt,
    );
  return named?.[1] ?? 'calcTotal';
}

function lastLines(words: string, count: number): string {
  const lines = words.trimEnd().split('\n');
  // Advice about npm itself says nothing about the tests.
  const told = lines.filter((line) => !line.startsWith('npm notice'));
  return told.slice(-count).join('\n');
}
