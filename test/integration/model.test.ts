import assert from 'node:assert/strict';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test, type TestContext } from 'node:test';
import * as z from 'zod/mini';
import { createDeferred } from '../../src/base/deferred';
import { demoScript } from '../harness/model/demoScript';
import { startModel, type ModelOptions, type ModelServer } from '../harness/model/modelServer';
import { createRealCliSandbox, type RealCliOptions } from '../harness/model/realCli';
import { cut, fault, message, pause, say, text, thinking, toolUse } from '../harness/model/script';
import { inRoot } from '../harness/paths';

/** An upper bound for a busy machine; every wait ends with its condition. */
const PATIENCE_MS = 120_000;

const lineSchema = z.looseObject({ type: z.string() });
type Line = z.infer<typeof lineSchema>;

interface RawCli {
  readonly lines: readonly Line[];
  send(value: object): void;
  prompt(words: string): void;
  /** Resolves with the first line, past or to come, for which the condition holds. */
  waitFor(condition: (line: Line) => boolean): Promise<Line>;
}

/** The real CLI on raw pipes against a scripted model; both end with the test. */
async function launch(
  t: TestContext,
  options: ModelOptions,
  more: Omit<RealCliOptions, 'modelUrl'> = {},
): Promise<{ cli: RawCli; model: ModelServer }> {
  const model = await startModel(options);
  const sandbox = await createRealCliSandbox({ modelUrl: model.url, ...more });
  const child = spawn(sandbox.command, sandbox.args, { cwd: sandbox.workspace, env: sandbox.env });
  t.after(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await model.close();
    await sandbox.cleanup();
  });
  return { cli: rawCli(child), model };
}

function rawCli(child: ChildProcessWithoutNullStreams): RawCli {
  const lines: Line[] = [];
  const waiting = new Set<(line: Line) => void>();
  createInterface({ input: child.stdout }).on('line', (raw) => {
    const line = lineSchema.parse(JSON.parse(raw));
    lines.push(line);
    for (const offer of waiting) offer(line);
  });
  let stderr = '';
  child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
  const send = (value: object): void => {
    child.stdin.write(`${JSON.stringify(value)}\n`);
  };
  return {
    lines,
    send,
    prompt: (words) => {
      const content = { role: 'user', content: words };
      send({ type: 'user', message: content, parent_tool_use_id: null, uuid: randomUUID() });
    },
    waitFor: (condition) =>
      new Promise((resolve, reject) => {
        const found = lines.find(condition);
        if (found !== undefined) {
          resolve(found);
          return;
        }
        const timer = setTimeout(() => {
          reject(new Error(`waited in vain; the last line: ${JSON.stringify(lines.at(-1))}`));
        }, PATIENCE_MS);
        child.once('exit', (code) => reject(new Error(`the CLI ended with ${code}: ${stderr}`)));
        waiting.add((line) => {
          if (!condition(line)) return;
          clearTimeout(timer);
          resolve(line);
        });
      }),
  };
}

const isResult = (line: Line): boolean => line.type === 'result';
const holds = (line: Line, words: string): boolean => JSON.stringify(line).includes(words);

test('a plain turn of the real CLI streams the scripted text and ends in a result', async (t) => {
  const { cli, model } = await launch(t, { script: [say('Hello from the script.')] });
  cli.prompt('hi there');
  const result = await cli.waitFor(isResult);
  assert.equal(result.result, 'Hello from the script.');
  assert.equal(result.is_error, false);
  const [request] = model.requests;
  assert.equal(request?.turn.prompt, 'hi there');
  assert.ok(request.turn.tools.includes('Bash'));
  assert.match(request.turn.context, /Primary working directory: .*work space/);
});

test('a thinking turn arrives as a thinking block and then a text block', async (t) => {
  const { cli } = await launch(t, {
    script: [message([thinking('Step by step.'), text('Done.')])],
  });
  cli.prompt('think');
  await cli.waitFor(isResult);
  const blocks = cli.lines.filter((line) => line.type === 'assistant');
  assert.deepEqual(
    blocks.map((line) => [holds(line, '"type":"thinking"'), holds(line, 'Step by step.')]),
    [
      [true, true],
      [false, false],
    ],
  );
  assert.ok(cli.lines.some((line) => holds(line, '"signature_delta"')));
});

test('a tool turn runs the call and the script reads its result', async (t) => {
  const { cli, model } = await launch(t, {
    script: ({ results }) =>
      results[0] === undefined
        ? message([text('I run it.'), toolUse('Bash', { command: 'echo real result' })])
        : say(`It said: ${results[0].text}`),
  });
  cli.prompt('run echo');
  const result = await cli.waitFor(isResult);
  assert.equal(result.result, 'It said: real result');
  assert.equal(result.num_turns, 2);
  const [answered] = model.requests[1]?.turn.results ?? [];
  assert.equal(answered?.name, 'Bash');
  assert.equal(answered.isError, false);
});

test('an overloaded model is retried and then ends as a failed result', async (t) => {
  const { cli, model } = await launch(
    t,
    { script: [fault(529, 'overloaded_error', 'Overloaded')] },
    { env: { CLAUDE_CODE_MAX_RETRIES: '1' } },
  );
  cli.prompt('hi');
  const result = await cli.waitFor(isResult);
  assert.equal(result.is_error, true);
  assert.equal(result.terminal_reason, 'api_error');
  assert.ok(cli.lines.some((line) => line.subtype === 'api_retry'));
  assert.ok(model.requests.length >= 2);
});

test('a stream that is cut is asked again and the turn ends well', async (t) => {
  const { cli, model } = await launch(t, {
    script: [message([text('half a sentence'), cut()]), say('The whole sentence.')],
  });
  cli.prompt('hi');
  const result = await cli.waitFor(isResult);
  assert.equal(result.result, 'The whole sentence.');
  assert.equal(await model.requests[0]?.finished, false);
});

test('an interrupt in a pause stops the turn and the next prompt is answered', async (t) => {
  const { cli, model } = await launch(t, {
    script: ({ prompt }) =>
      prompt === 'long'
        ? message([text('It begins'), pause(createDeferred<undefined>().promise)])
        : say(`You said ${prompt}.`),
  });
  cli.prompt('long');
  await cli.waitFor((line) => line.type === 'stream_event' && holds(line, 'It begins'));
  cli.send({ type: 'control_request', request_id: 'i1', request: { subtype: 'interrupt' } });
  const stopped = await cli.waitFor(isResult);
  assert.equal(stopped.terminal_reason, 'aborted_streaming');
  assert.equal(await model.requests[0]?.finished, false);
  cli.prompt('and now');
  const next = await cli.waitFor((line) => isResult(line) && line !== stopped);
  assert.equal(next.result, 'You said and now.');
});

test('compacting and naming a conversation are answered without the script', async (t) => {
  const { cli, model } = await launch(t, { script: [say('Noted.')] });
  cli.prompt('remember the shop');
  await cli.waitFor(isResult);
  cli.prompt('/compact');
  await cli.waitFor((line) => line.subtype === 'compact_boundary');
  const request = { subtype: 'generate_session_title', description: 'shop totals', persist: false };
  cli.send({ type: 'control_request', request_id: 't1', request });
  const answer = await cli.waitFor((line) => line.type === 'control_response');
  assert.ok(holds(answer, '"title":"shop totals"'));
  assert.deepEqual(
    model.requests.filter((each) => !each.isSide).map((each) => each.turn.prompt),
    ['remember the shop'],
  );
});

test('the demo runs the sample’s tests once the host allows the command', async (t) => {
  const { cli } = await launch(
    t,
    { script: demoScript },
    { workspaceFrom: inRoot('test/fixtures/sample') },
  );
  cli.prompt('run the tests');
  const asked = await cli.waitFor((line) => line.type === 'control_request');
  assert.ok(holds(asked, '"command":"npm test"'));
  const response = { behavior: 'allow' };
  cli.send({
    type: 'control_response',
    response: { subtype: 'success', request_id: asked.request_id, response },
  });
  const result = await cli.waitFor(isResult);
  assert.match(String(result.result), /^4 tests pass\./);
});
