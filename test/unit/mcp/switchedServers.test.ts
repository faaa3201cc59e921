import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineTool } from '../../../src/mcp/defineTool';
import { createServer } from '../../../src/mcp/mcpServer';
import { ServerRegistry } from '../../../src/mcp/registry';
import { SwitchedServers } from '../../../src/mcp/switchedServers';

const tool = (name: string) =>
  defineTool({ name, description: 'x', input: { type: 'object' }, run: () => '' });

function registry() {
  const all = new ServerRegistry();
  const one = createServer({ name: 'one' });
  all.add(one);
  all.add(createServer({ name: 'two' }));
  return { all, one };
}

test('A server that is switched off looks removed, and back on it looks added', () => {
  const { all, one } = registry();
  const switched = new SwitchedServers(all, ['two']);
  const told: string[] = [];
  switched.onDidChange(({ kind, server }) => told.push(`${kind} ${server}`));
  const names = () => switched.all().map(({ name }) => name);
  assert.deepEqual(
    [names(), switched.find('two'), switched.get('two')],
    [['one'], undefined, undefined],
  );
  switched.switch('one', false);
  switched.switch('one', false);
  one.registerTool(tool('late'));
  assert.deepEqual([names(), told], [[], ['removed one']]);
  switched.switch('one', true);
  switched.switch('nobody', false);
  assert.deepEqual([names(), told], [['one'], ['removed one', 'added one']]);
  assert.deepEqual([switched.find('one'), switched.get('one'), switched.list()], [one, one, [one]]);
  assert.deepEqual([...switched.off], ['two', 'nobody']);
});

test('What happens to a server that is on is told as the registry tells it, until the end', () => {
  const { all, one } = registry();
  const switched = new SwitchedServers(all, ['off']);
  const told: string[] = [];
  switched.onDidChange(({ server }) => told.push(server));
  one.registerTool(tool('late'));
  all.add(createServer({ name: 'off' }));
  all.remove('two');
  assert.deepEqual(told, ['one', 'two']);
  switched.dispose();
  one.registerTool(tool('later'));
  assert.equal(told.length, 2);
});
