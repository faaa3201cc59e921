import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineTool } from '../../../src/mcp/defineTool';
import { createServer } from '../../../src/mcp/mcpServer';
import { ServerRegistry } from '../../../src/mcp/registry';
import { SwitchedServers } from '../../../src/mcp/switchedServers';
import { ToolSwitches } from '../../../src/mcp/toolSwitches';

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
  const switches = new ToolSwitches({ servers: ['two'] });
  const switched = new SwitchedServers(all, switches);
  const told: string[] = [];
  switched.onDidChange(({ kind, server }) => told.push(`${kind} ${server}`));
  const names = () => switched.all().map(({ name }) => name);
  assert.deepEqual(
    [names(), switched.find('two'), switched.get('two')],
    [['one'], undefined, undefined],
  );
  switches.switchServer('one', false);
  switches.switchServer('one', false);
  one.registerTool(tool('late'));
  assert.deepEqual([names(), told], [[], ['removed one']]);
  switches.switchServer('one', true);
  switches.switchServer('nobody', false);
  assert.deepEqual([names(), told], [['one'], ['removed one', 'added one']]);
  assert.deepEqual([switched.find('one'), switched.get('one'), switched.list()], [one, one, [one]]);
  assert.deepEqual(switches.state.servers, ['two', 'nobody']);
});

test('What happens to a server that is on is told as the registry tells it, until the end', () => {
  const { all, one } = registry();
  const switched = new SwitchedServers(all, new ToolSwitches({ servers: ['off'] }));
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

test('A tool that is switched off is neither listed nor found, its conversation is told, and it comes back in its place', () => {
  const { all, one } = registry();
  for (const name of ['a', 'b', 'c']) one.registerTool(tool(name));
  const switches = new ToolSwitches({ tools: ['mcp__one__b'] });
  const switched = new SwitchedServers(all, switches);
  const told: string[] = [];
  switched.onDidChange(({ kind, server }) => told.push(`${kind} ${server}`));
  const names = () => one.listTools().map(({ name }) => name);
  assert.deepEqual([names(), one.getTool('b'), one.allTools().length], [['a', 'c'], undefined, 3]);
  switches.switchTool('one', 'b', true);
  switches.switchTool('one', 'a', false);
  assert.deepEqual(
    [names(), told],
    [
      ['b', 'c'],
      ['toolsChanged one', 'toolsChanged one'],
    ],
  );
  switches.switchServer('two', false);
  assert.deepEqual(told.slice(2), ['removed two']);
});

test('A tool that comes while its name is switched off stays hidden, also on a server that comes', () => {
  const { all, one } = registry();
  const switches = new ToolSwitches({ tools: ['mcp__one__late', 'mcp__new__x'] });
  const switched = new SwitchedServers(all, switches);
  one.registerTool(tool('late'));
  const seen: number[] = [];
  switched.onDidChange(({ server }) => seen.push(switched.get(server)?.tools().length ?? -1));
  all.add(createServer({ name: 'new', tools: [tool('x'), tool('y')] }));
  assert.deepEqual([one.tools(), seen], [[], [1]]);
});
