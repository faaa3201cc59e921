import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { realCliPath } from '../paths';
import type { Locator } from 'playwright-core';
import { PLANTED } from '../model/demoScript';
import { DEMO_TOOL } from '../model/demoToolFile';
import { findCliPid } from './cliProcess';
import { unfoldTool, toolCards } from './readTool';
import { LAST_HELD_WORDS, WORDS_NEVER_SENT } from './tourModel';
import type { TourStage } from './tourStage';
import { expectSeen, type ToolEntry } from './transcript';

/** Lists the open files. */
export async function askForOpenFiles(stage: TourStage): Promise<void> {
  const { tools } = await stage.turn('open files', 'Which files are open?');
  const result = resultOf(tools, 'mcp__editor__open_editors');
  expectSeen(result.includes(PLANTED.file), `${PLANTED.file} among the open editors`, result);
}

/** Finds the planted error through the real language server. */
export async function askForErrors(stage: TourStage): Promise<void> {
  const { answer, tools } = await stage.turn('errors', 'Which errors are in my open files?');
  const result = resultOf(tools, 'mcp__code__diagnostics');
  expectSeen(result.includes(PLANTED.message), `"${PLANTED.message}" in the problems`, result);
  await unfoldTool(toolCards(answer).first());
  await toolCards(answer).first().scrollIntoViewIfNeeded();
  await stage.pictureOfPanel('tool-card');
}

export async function lookUpSymbol(stage: TourStage): Promise<void> {
  const { tools } = await stage.turn('symbol', 'Where is `calcTotal` defined?');
  const result = resultOf(tools, 'mcp__code__symbols');
  expectSeen(result.includes('src/pricing.ts'), 'calcTotal in src/pricing.ts', result);
}

/** Calls the server of another extension, in process as well; the person is asked first. */
export async function askCalculator(stage: TourStage): Promise<void> {
  const { answer, tools, text } = await stage.turn('calculator', 'What is 15 + 27?', [
    { request: /^Permission request: /, answer: 'Allow once' },
  ]);
  expectSeen(resultOf(tools, 'mcp__calculator__add') === '42', '42', JSON.stringify(tools));
  const input = JSON.stringify(tools[0]?.input);
  expectSeen(input === '{"a":15,"b":27}', 'the numbers 15 and 27 in the call', input);
  expectSeen(text.includes('15 + 27 is 42.'), 'an answer with the sum', text);
  const usage = stage.transcript.at(-1);
  const figures = JSON.stringify(usage);
  const isCounted = usage !== undefined && 'cost' in usage && usage.cost > 0 && usage.turns === 2;
  expectSeen(isCounted, 'a cost, and two model turns', figures);
  await unfoldTool(toolCards(answer).first());
  await toolCards(answer).first().scrollIntoViewIfNeeded();
  await stage.pictureOfPanel('calculator');
}

/**
 * The model writes a tool for the workspace, the person approves what it wrote, and the model calls it
 * in the same conversation: no server, no build, no restart.
 */
export async function writeTool(stage: TourStage): Promise<void> {
  const allow = { request: /^Permission request: /, answer: 'Allow once' } as const;
  await stage.turn('write a tool', 'Write a tool that counts the problems', [allow]);
  const card = stage.panel.approval(/^Approval: Tool files of /);
  await stage.timing.measure('approval asked', () => card.waitFor());
  const request = (await card.getAttribute('aria-label')) ?? '';
  const change = card.getByRole('group', { name: `Change of ${DEMO_TOOL.file}`, exact: true });
  const shown = await change.innerText();
  expectSeen(shown.includes('getDiagnostics'), "the tool's code on the card", shown);
  await stage.panel.scrollToEnd();
  await stage.pictureOfPanel('tool-file-approval');
  await card.getByRole('button', { name: 'Approve', exact: true }).click();
  await card.waitFor({ state: 'detached' });
  stage.transcript.push({ event: 'approval', request, shown });
  const look = async (permission: Locator): Promise<void> => {
    const words = await permission.innerText();
    expectSeen(words.includes(DEMO_TOOL.file), 'the file of the tool on its card', words);
  };
  const { tools } = await stage.turn('call the tool', 'Count the problems with your tool', [
    { ...allow, look },
  ]);
  const counted = resultOf(tools, DEMO_TOOL.wireName);
  expectSeen(counted === `{"${PLANTED.file}":1}`, `one problem in ${PLANTED.file}`, counted);
  await stage.panel.scrollToEnd();
  await stage.pictureOfPanel('tool-file');
}

/** Proposes an edit, which is allowed, and looks at the disk. */
export async function fixError(stage: TourStage): Promise<void> {
  const { tools } = await stage.turn('edit', 'Fix the type error', [
    {
      request: /^Permission request: /,
      answer: 'Allow once',
      look: () => stage.pictureOfPanel('permission-card'),
    },
  ]);
  const edit = tools.find((entry) => entry.tool === 'Edit');
  expectSeen(edit?.isError === false, 'an edit that succeeded', JSON.stringify(tools));
  const now = await readFile(path.join(stage.workspace, PLANTED.file), 'utf8');
  expectSeen(now.includes(PLANTED.after), `the mended line in ${PLANTED.file}`, now);
}

/** Runs a command once it is permitted. */
export async function runTests(stage: TourStage): Promise<void> {
  const { tools, text } = await stage.turn('command', 'Run the tests', [
    { request: /^Permission request: /, answer: 'Allow once' },
  ]);
  const result = resultOf(tools, 'Bash');
  expectSeen(/pass 4\b/.test(result), '4 passing tests in the output', result);
  expectSeen(text.includes('4 tests pass'), 'an answer that tells of them', text);
}

/** Stops a long answer in mid-stream; what was said by then stays. */
export async function stopLongAnswer(stage: TourStage): Promise<void> {
  const answer = await beginLongAnswer(stage, 'Explain the shop at length');
  await stage.pictureOfWindow('streaming');
  await stage.timing.measure('stop', async () => {
    await stage.panel.stopButton.click();
    await stage.panel.waitForStatus(/^\s*Idle/);
  });
  const { text, stopped } = await stage.record(answer);
  expectSeen(stopped, 'the answer marked as stopped', text);
  stage.transcript.push({ event: 'stop', status: await stage.panel.waitForStatus(/\S/) });
  expectSeen(text.includes(LAST_HELD_WORDS), 'the words said before the stop', text);
  expectSeen(!text.includes(WORDS_NEVER_SENT), 'no words after the stop', text);
}

const DRAFT = 'Which files are open now?';

/** Kills the CLI in mid-stream while a draft is being typed; the draft stays and goes on. */
export async function surviveCrash(stage: TourStage): Promise<void> {
  const answer = await beginLongAnswer(stage, 'Describe the shop once more');
  await stage.panel.message.fill(DRAFT);
  const pid = await findCliPid(process.pid, realCliPath);
  process.kill(pid, 'SIGKILL');
  await stage.timing.measure('crash noticed', () => stage.panel.alert.last().waitFor());
  const alert = (await stage.panel.alert.last().innerText()).trim();
  const draft = await stage.panel.message.inputValue();
  await stage.record(answer);
  stage.transcript.push({ event: 'crash', alert, draft });
  expectSeen(draft === DRAFT, `the draft "${DRAFT}" after the crash`, draft);
  await stage.panel.scrollToEnd();
  await stage.pictureOfPanel('crash');
  // The draft is still in the box: sending it is what goes on after the crash.
  const next = stage.transcript.length;
  const { tools } = await stage.turn('after the crash', DRAFT);
  stage.transcript.splice(next + 1, 0, { event: 'resumed', prompt: DRAFT });
  expectSeen(tools.length === 1, 'one tool call after the crash', JSON.stringify(tools));
  const remembered = stage.model.requests.at(-1)?.body.messages ?? [];
  const said = JSON.stringify(remembered);
  expectSeen(said.includes(PLANTED.after), 'the earlier conversation in the model request', said);
}

/** Sends a prompt whose answer is held half way, and waits until it stands still. */
async function beginLongAnswer(stage: TourStage, prompt: string) {
  const number = await stage.panel.articles('Claude').count();
  await stage.panel.send(prompt);
  const answer = stage.panel.articles('Claude').nth(number);
  await answer.getByText(LAST_HELD_WORDS).waitFor();
  await stage.panel.stopButton.waitFor();
  return answer;
}

function resultOf(tools: readonly ToolEntry[], name: string): string {
  const entry = tools.find((each) => each.tool === name);
  expectSeen(entry !== undefined, `a call of ${name}`, JSON.stringify(tools));
  expectSeen(!entry.isError, `a call of ${name} that succeeds`, entry.result);
  return entry.result;
}
