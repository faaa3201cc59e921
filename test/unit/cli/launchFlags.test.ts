import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launchArguments } from '../../../src/cli/launchArguments';
import { fitArguments, parseHelpFlags, refusedFlag } from '../../../src/cli/launchFlags';
import { loginShellArguments, parsePrintedPath } from '../../../src/cli/loginShellPath';
import { proxyVariables } from '../../../src/cli/proxyEnvironment';
import { childEnvironment } from '../../../src/cli/environment';
import { describeSpawnInput } from '../../../src/cli/spawnFailure';

test('Flags are read from a help text, also where names share a line; another text tells nothing', () => {
  const help = `Usage: claude [options]
  --allowedTools, --allowed-tools <tools...>
      words (e.g. --output-format=stream-json)
  --output-format <format>  with --print; not-a--flag
`;
  assert.deepEqual([...(parseHelpFlags(help) ?? [])].sort(), [
    '--allowed-tools',
    '--allowedTools',
    '--output-format',
    '--print',
  ]);
  assert.equal(parseHelpFlags('docker: no such container --x'), undefined);
  assert.equal(parseHelpFlags(''), undefined);
});

test('The refused flag is read from what the CLI wrote, with and without its value', () => {
  assert.equal(refusedFlag("noise\nerror: unknown option '--add-dir=/a b'\n"), '--add-dir');
  assert.equal(refusedFlag("error: unknown option '--x'\n(Did you mean --y?)"), '--x');
  assert.equal(refusedFlag('error: something else'), undefined);
});

test('Optional flags that are unknown are left out whole and named; needed ones stay', () => {
  const all = launchArguments({ trusted: true, model: 'a b', addDirs: ['/x', '/y'], resume: 'r' });
  const fitted = fitArguments(all, new Set(['--model', '--add-dir', '--resume', '--verbose']));
  assert.deepEqual(fitted.dropped, ['--model', '--add-dir']);
  assert.deepEqual(
    all.filter((arg) => !fitted.args.includes(arg)),
    ['--model=a b', '--add-dir=/x', '--add-dir=/y'],
  );
  assert.ok(fitted.args.includes('--resume=r') && fitted.args.includes('--verbose'));
});

test('Own arguments come before ours, so that ours count, and no bare -- cuts ours off', () => {
  const args = launchArguments({
    trusted: false,
    ownArguments: ['--setting-sources=project', '--', '--effort=high'],
  });
  assert.deepEqual(args.slice(0, 2), ['--setting-sources=project', '--effort=high']);
  assert.ok(args.lastIndexOf('--setting-sources=user') > 1);
  assert.ok(args.join(' ').length < 4000, 'far from the limit of a Windows command line (W05)');
});

test('The PATH is read between its marks, through greetings, traces and line ends', () => {
  const mark = '__patchbay_path__';
  assert.equal(parsePrintedPath(`hi\n${mark}/a b:/ü${mark}\nbye`), '/a b:/ü');
  assert.equal(parsePrintedPath(`+ printf ${mark} /x ${mark}\n${mark}/a${mark}\n`), '/a');
  assert.equal(parsePrintedPath(`${mark}/a`), undefined);
  assert.equal(parsePrintedPath(`${mark}${mark}`), undefined);
  assert.equal(parsePrintedPath('nothing'), undefined);
});

test('Each shell gets the arguments that it takes', () => {
  assert.deepEqual(loginShellArguments('/bin/zsh', 'c'), ['-ilc', 'c']);
  assert.deepEqual(loginShellArguments('/usr/bin/tcsh', 'c'), ['-ic', 'c']);
  assert.deepEqual(loginShellArguments('/opt/nu', 'c'), ['-i', '-l', '-c', 'c']);
});

test("The editor's proxy becomes variables where none is set, and extra certificates pass (G02)", () => {
  const settings = { proxy: ' http://127.0.0.1:3128 ', noProxy: ['a', 'b'], support: 'override' };
  const proxy = 'http://127.0.0.1:3128';
  assert.deepEqual(proxyVariables(settings, { https_proxy: '' }), {
    HTTPS_PROXY: proxy,
    HTTP_PROXY: proxy,
    NO_PROXY: 'a,b',
  });
  assert.deepEqual(proxyVariables(settings, { https_proxy: 'x', no_proxy: 'y' }), {
    HTTP_PROXY: proxy,
  });
  assert.deepEqual(proxyVariables(settings, { all_proxy: 'x' }), {});
  assert.deepEqual(proxyVariables({ ...settings, support: 'off' }, {}), {});
  assert.deepEqual(proxyVariables({ ...settings, proxy: '' }, {}), {});
  const inherited = { NODE_EXTRA_CA_CERTS: '/ca.pem', ...proxyVariables(settings, {}) };
  const env = childEnvironment({ inherited, own: { HTTPS_PROXY: 'mine' } });
  assert.deepEqual(
    [env.NODE_EXTRA_CA_CERTS, env.HTTPS_PROXY, env.HTTP_PROXY],
    ['/ca.pem', 'mine', proxy],
  );
});

test('What a spawn was given is told by sizes and names, never by values (W03)', () => {
  const text = describeSpawnInput({
    command: 'C:\\a b\\claude.exe',
    args: ['--x', 'bad\0arg'],
    cwd: '\\\\server\\share',
    env: { GOOD: 'value-one', BAD: 'value\0two', '': 'x' },
  });
  assert.match(text, /"C:\\\\a b\\\\claude\.exe", 2 arguments of 12 characters/);
  assert.match(text, /3 variables of 32 characters, invalid variables "BAD", ""/);
  assert.match(text, /NUL character in arguments 1/);
  assert.ok(!text.includes('value'));
});
