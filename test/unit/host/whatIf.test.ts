import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../src/base/event';
import { silentLogger } from '../../../src/base/logger';
import type {
  RulesShown,
  WhatIfHostMessage,
  WhatIfMessage,
} from '../../../src/chat/whatIfProtocol';
import { builtInTools, readCall, WhatIf, type WhatIfPorts } from '../../../src/host/whatIf';
import type { RuleText } from '../../../src/rules/permissionRule';
import { compileRules } from '../../../src/rules/ruleSet';
import { eventually } from '../../harness/panelSandbox/eventually';

const RULES: readonly RuleText[] = [
  { behavior: 'allow', text: 'Bash(npm test:*)', source: 'projectSettings' },
  { behavior: 'deny', text: 'Read(./.env)', source: 'userSettings' },
];

function shownOf(rules: readonly RuleText[]): RulesShown {
  return {
    rules: rules.map((rule) => ({ ...rule, file: `/files/${rule.source}.json` })),
    origin: 'files',
    folder: 'shop',
    notes: [],
    tools: builtInTools(),
    modes: [{ id: 'default', label: 'Ask' }],
    mode: 'default',
  };
}

function open(overrides: Partial<WhatIfPorts> = {}) {
  const received = new Emitter<unknown>();
  const messages: WhatIfHostMessage[] = [];
  const opened: string[] = [];
  const reported: unknown[] = [];
  let rules = RULES;
  const whatIf = new WhatIf(
    {
      onDidReceiveMessage: received.event,
      post: (message) => {
        messages.push(message);
        return Promise.resolve(true);
      },
    },
    {
      log: silentLogger,
      l10n: () => undefined,
      load: () =>
        Promise.resolve({
          shown: shownOf(rules),
          set: compileRules(rules, { cwd: '/w', home: '/h', platform: 'linux' }),
        }),
      resolve: (paths) => Promise.resolve(new Map(paths.map((one) => [one, one]))),
      openFile: (file) => {
        opened.push(file);
        return Promise.resolve();
      },
      report: (error) => reported.push(error),
      ...overrides,
    },
  );
  let n = 0;
  const ask = async (tool: string, input: string) => {
    n += 1;
    const own = n;
    received.fire({ type: 'judge', n, tool, input, mode: 'default' } satisfies WhatIfMessage);
    await eventually(() => messages.some((one) => one.type === 'verdict' && one.n === own));
    const found = messages.find((one) => one.type === 'verdict' && one.n === own);
    return found?.type === 'verdict' ? found.verdict : undefined;
  };
  return {
    whatIf,
    received,
    messages,
    opened,
    reported,
    ask,
    setRules: (next: readonly RuleText[]) => {
      rules = next;
    },
  };
}

test('the page is given all rules when it is ready, and again when it asks', async () => {
  const { received, messages, setRules, ask } = open();
  received.fire({ type: 'ready' });
  await eventually(() => messages.length === 1);
  assert.equal(messages[0]?.type === 'start' && messages[0].shown.rules.length, 2);
  assert.equal((await ask('Bash', 'npm test -- x'))?.verdict, 'allow');
  setRules([]);
  received.fire({ type: 'refresh' });
  await eventually(() => messages.filter(({ type }) => type === 'start').length === 2);
  assert.equal((await ask('Bash', 'npm test -- x'))?.verdict, 'ask');
});

test('a call is judged as it would be sent, with the rule and its source', async () => {
  const { ask } = open();
  assert.deepEqual((await ask('Read', './.env'))?.rule, {
    text: 'Read(./.env)',
    source: 'userSettings',
  });
  assert.equal((await ask('Read', 'a.txt'))?.verdict, 'allow');
  assert.equal((await ask('WebSearch', '{"query": 1'))?.why, 'The input is not a JSON object.');
  assert.equal((await ask('WebSearch', '[1]'))?.verdict, 'unknown');
  assert.equal((await ask('WebSearch', ''))?.verdict, 'ask');
});

test('a path is judged by where its links lead', async () => {
  const resolve: WhatIfPorts['resolve'] = (paths) =>
    Promise.resolve(new Map(paths.map((one) => [one, one === '/w/link' ? '/etc/x' : one])));
  const { ask } = open({ resolve });
  assert.equal((await ask('Read', 'link'))?.verdict, 'ask');
});

test('only files of the rules that are shown are opened', async () => {
  const { received, opened, ask } = open();
  received.fire({ type: 'openFile', file: '/etc/passwd' });
  received.fire({ type: 'openFile', file: '/files/userSettings.json' });
  await ask('Bash', 'ls');
  await eventually(() => opened.length > 0);
  assert.deepEqual(opened, ['/files/userSettings.json']);
});

test('what the page must not send is dropped, and a failure is shown', async () => {
  const failure = new Error('disk');
  const { received, messages, reported } = open({ load: () => Promise.reject(failure) });
  for (const odd of [null, {}, { type: 'judge', n: 0 }, { type: 'judge', n: 1, tool: 'x' }]) {
    received.fire(odd);
  }
  received.fire({ type: 'ready' });
  await eventually(() => reported.length === 1);
  assert.deepEqual([reported, messages], [[failure], []]);
});

test('after its end nothing is posted any more', async () => {
  let go: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (go = resolve));
  const made = open();
  const late = open({
    load: async () => {
      await gate;
      return {
        shown: shownOf([]),
        set: compileRules([], { cwd: '/w', home: '/h', platform: 'linux' }),
      };
    },
  });
  const refreshing = late.whatIf.refresh();
  late.whatIf.dispose();
  go();
  await refreshing;
  assert.deepEqual(late.messages, []);
  made.whatIf.dispose();
  made.received.fire({ type: 'ready' });
  assert.deepEqual(made.messages, []);
});

test('what is typed for a tool becomes the input that the model would send', () => {
  assert.deepEqual(readCall('NotebookEdit', 'a.ipynb', 'path')?.input, {
    notebook_path: 'a.ipynb',
  });
  assert.deepEqual(readCall('mcp__a__b', '{"x":1}', 'json')?.input, { x: 1 });
  assert.deepEqual(readCall('mcp__a__b', ' ', 'json')?.input, {});
  assert.equal(readCall('mcp__a__b', '"x"', 'json'), undefined);
});
