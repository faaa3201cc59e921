import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesTool, mayNameToolOf } from '../../../src/mcp/toolPatterns';

test('A pattern names one tool, all of a server, or what its stars leave open', () => {
  const fits = (pattern: string) =>
    ['mcp__code__symbols', 'mcp__code__rename', 'mcp__coder__x', 'mcp__a.b__c'].filter((name) =>
      matchesTool(pattern, name),
    );
  assert.deepEqual(fits('mcp__code__symbols'), ['mcp__code__symbols']);
  assert.deepEqual(fits('mcp__code'), ['mcp__code__symbols', 'mcp__code__rename']);
  assert.deepEqual(fits('mcp__code__*'), ['mcp__code__symbols', 'mcp__code__rename']);
  assert.deepEqual(fits('mcp__*__*m*'), ['mcp__code__symbols', 'mcp__code__rename']);
  assert.deepEqual(fits('mcp__code*e'), ['mcp__code__rename']);
  assert.deepEqual(fits('*'), [
    'mcp__code__symbols',
    'mcp__code__rename',
    'mcp__coder__x',
    'mcp__a.b__c',
  ]);
  assert.deepEqual(fits('mcp__a?b__c'), []);
  assert.deepEqual(fits(''), []);
});

test('A pattern of many stars is done with in a moment', () => {
  const name = `mcp__${'a'.repeat(120)}`;
  assert.equal(matchesTool(`mcp__${'*a'.repeat(60)}*b`, name), false);
});

test('A server may have a tool that a pattern names, as far as the pattern tells', () => {
  const may = (pattern: string) =>
    ['code', 'coder', 'a'].filter((server) => mayNameToolOf(pattern, server));
  assert.deepEqual(may('mcp__code__symbols'), ['code']);
  assert.deepEqual(may('mcp__code'), ['code']);
  assert.deepEqual(may('mcp__code*'), ['code', 'coder']);
  assert.deepEqual(may('mcp__*__x'), ['code', 'coder', 'a']);
  assert.deepEqual(may('mcp__a__b__c'), ['a']);
  assert.deepEqual(may('Bash'), []);
});
