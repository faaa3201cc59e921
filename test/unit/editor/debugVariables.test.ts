import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AskSession,
  listScopes,
  listVariable,
  openValue,
} from '../../../src/editor/debugVariables';
import { SilentDebugger } from '../../../src/editor/debugRequest';
import { ToolProblem } from '../../../src/editor/toolProblem';

interface Asked {
  readonly filter?: string;
  readonly start?: number;
  readonly count?: number;
  readonly variablesReference: number;
}
const plain = (name: string): object => ({ name, value: 'v', variablesReference: 0 });

/** Answers for a value of `entries` numbered variables, and some with names. */
function list(entries: number, names: readonly string[], takes: 'parts' | 'nothing'): AskSession {
  const all = Array.from({ length: entries }, (_, n) => plain(`${n}`));
  const named = names.map(plain);
  return (_command, args) => {
    // What openValue asks with.
    const { filter, start = 0, count = all.length } = args as Asked;
    if (takes === 'nothing' || filter === undefined)
      return Promise.resolve({ variables: [...all, ...named] });
    return Promise.resolve({
      variables: filter === 'named' ? named : all.slice(start, start + count),
    });
  };
}

/** All pages, one after the other, as the model reads them. */
async function pages(ask: AskSession, value: object): Promise<readonly string[]> {
  const seen: string[] = [];
  for (let from = 0; ;) {
    const variable = { name: 'it', value: 'It', variablesReference: 5, ...value };
    const lines: readonly string[] = await openValue(ask, variable, { depth: 1, each: 30, from });
    const next: string | undefined = /next: from=(\d+)$/.exec(lines.at(-1) ?? '')?.[1];
    seen.push(...lines.slice(1, next === undefined ? undefined : -1));
    if (next === undefined) return seen.map((line) => line.trim().replace(' = v', ''));
    assert.ok(Number(next) > from, `a page that comes again: ${lines.join('|')}`);
    from = Number(next);
  }
}

test('the pages of a value give each of its variables once, those with names after the entries', async () => {
  for (const entries of [0, 1, 29, 30, 31, 59, 60, 140]) {
    for (const names of [[], ['length'], Array.from({ length: 45 }, (_, n) => `name${n}`)]) {
      for (const takes of ['parts', 'nothing'] as const) {
        const size = { indexedVariables: entries, namedVariables: names.length };
        const seen = await pages(list(entries, names, takes), size);
        const all = [...Array.from({ length: entries }, (_, n) => `${n}`), ...names];
        assert.deepEqual(seen, all, `${entries} and ${names.length}, it takes ${takes}`);
      }
    }
  }
});

test('the pages end with a debugger that has fewer than it says', async () => {
  const seen = await pages(list(10, [], 'parts'), { indexedVariables: 100, namedVariables: 3 });
  assert.equal(seen.length, 10);
});

test('what is not listed for lack of lines is told, with a way on that leads on', async () => {
  const scopes = ['Local', 'Closure'].map((name, at) => ({ name, variablesReference: at + 1 }));
  const ask: AskSession = (command, args) => {
    if (command === 'scopes') return Promise.resolve({ scopes });
    // What listScopes asks with.
    const { variablesReference } = args as Asked;
    const one = (n: number): object => ({
      ...plain(`v${n}`),
      variablesReference: variablesReference * 100 + n,
    });
    const variables =
      variablesReference < 100
        ? Array.from({ length: 30 }, (_, n) => one(n))
        : Array.from({ length: 10 }, (_, n) => plain(`f${n}`));
    return Promise.resolve({ variables });
  };
  const lines = await listScopes(ask, 1, { depth: 2, each: 30, from: 0 });
  assert.ok(lines.length < 170, `${lines.length}`);
  assert.deepEqual(
    lines.filter((line) => !line.includes(' = v')),
    [
      'Local:',
      '  … 6 more variables',
      ' … 15 more variables, next: from=15',
      'Closure:',
      ' … 30 more variables, no room here: ask with depth 1',
    ],
  );
  assert.match(
    (await listScopes(ask, 1, { depth: 2, each: 30, from: 15 })).join('\n'),
    /Local:\n v15 = v\n[^]*\n v29 = v\n/,
  );
});

test('what a debugger cannot open hides nothing else', async () => {
  const names = ['Local', 'Registers', 'Static'];
  const scopes = names.map((name, at) => ({ name, variablesReference: at + 1 }));
  const ask: AskSession = (command, args) => {
    if (command === 'scopes') return Promise.resolve({ scopes });
    // What is asked with.
    const { variablesReference } = args as Asked;
    if ([2, 20].includes(variablesReference)) return Promise.reject(new ToolProblem('no such'));
    const inside = { ...plain(`v${variablesReference}`), variablesReference: 20 };
    return Promise.resolve({ variables: [inside, plain(`w${variablesReference}`)] });
  };
  const lines = ['Local:', ' v1 = v', '  (no such)', ' w1 = v', 'Registers:', ' (no such)'];
  assert.deepEqual(await listScopes(ask, 1, { depth: 2, each: 30, from: 0 }), [
    ...[...lines, 'Static:', ' v3 = v', '  (no such)', ' w3 = v'],
  ]);
  const limits = { depth: 1, each: 30, from: 0 };
  assert.deepEqual(await listVariable(ask, 1, 'w3', limits), ['w3 = v']);
  await assert.rejects(listVariable(ask, 1, 'x', limits), /no such/);
  const value = { name: 'it', value: 'It', variablesReference: 20 };
  assert.deepEqual(await openValue(ask, value, limits), ['it = It', ' (no such)']);
});

test('a debugger that keeps silent is asked once', async () => {
  const asked: number[] = [];
  const scopes = [1, 2].map((at) => ({ name: `scope ${at}`, variablesReference: at }));
  const ask: AskSession = (command, args) => {
    if (command === 'scopes') return Promise.resolve({ scopes });
    // What is asked with.
    const { variablesReference } = args as Asked;
    asked.push(variablesReference);
    if (variablesReference > 2) return Promise.reject(new SilentDebugger('no answer'));
    const inside = [10, 20].map((at) => ({ ...plain(`v${at}`), variablesReference: at }));
    return Promise.resolve({ variables: inside });
  };
  const lines = await listScopes(ask, 1, { depth: 2, each: 30, from: 0 });
  assert.deepEqual(lines, ['scope 1:', ' v10 = v', '  (no answer)', ' v20 = v']);
  assert.deepEqual(asked, [1, 10]);
});

test('a variable is found by a name with dots, or else by its way', async () => {
  const ask: AskSession = (command, args) => {
    if (command === 'scopes') return Promise.resolve({ scopes: [{ variablesReference: 1 }] });
    // What is asked with.
    const { variablesReference } = args as Asked;
    const order = { ...plain('order'), variablesReference: 2 };
    const variables = variablesReference === 1 ? [order, plain('main.total')] : [plain('total')];
    return Promise.resolve({ variables });
  };
  for (const name of ['main.total', 'order.total', 'order->total', 'order["total"]']) {
    const lines = await listVariable(ask, 1, name, { depth: 1, each: 30, from: 0 });
    assert.deepEqual(lines, [`${name} = v`]);
  }
});

test('an entry is found by its number, whatever a debugger calls it and however many it gives', async () => {
  const all = Array.from({ length: 5 }, (_, n) => ({ ...plain(`item ${n}`), value: `v${n}` }));
  for (const takes of ['parts', 'nothing']) {
    const ask: AskSession = (command, args) => {
      if (command === 'scopes') return Promise.resolve({ scopes: [{ variablesReference: 1 }] });
      // What is asked with.
      const { variablesReference, start = 0, count = all.length } = args as Asked;
      const holder = { ...plain('list'), variablesReference: 2, indexedVariables: 5 };
      const part = takes === 'parts' ? all.slice(start, start + count) : all;
      return Promise.resolve({ variables: variablesReference === 1 ? [holder] : part });
    };
    const lines = await listVariable(ask, 1, 'list[3]', { depth: 1, each: 30, from: 0 });
    assert.deepEqual(lines, ['list[3] = v3'], takes);
  }
});
