import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isReadRule, readDeniedBy } from '../../../src/rules/readRules';

const linux = { cwd: '/w/shop', home: '/home/ann', platform: 'linux' };

function denied(rule: string, file: string, more: { source?: string; world?: typeof linux } = {}) {
  const rules = [{ text: rule, source: more.source ?? 'projectSettings' }];
  return readDeniedBy(rules, [file], more.world ?? linux) !== undefined;
}

test('a rule is read as the CLI reads it', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['Read', '/anywhere', true],
    ['Read(./secret.txt)', '/w/shop/secret.txt', true],
    ['Read(./secret.txt)', '/w/shop/sub/secret.txt', false],
    ['Read(secret.txt)', '/w/shop/sub/secret.txt', true],
    ['Read(.env*)', '/w/shop/a/.env.local', true],
    ['Read(secrets/**)', '/w/shop/secrets/a/b.txt', true],
    ['Read(secrets/)', '/w/shop/x/secrets/a.txt', true],
    ['Read(a/secrets)', '/w/shop/a/secrets/b.txt', true],
    ['Read(/dist/**)', '/w/shop/dist/x.js', true],
    ['Read(/dist/**)', '/dist/x.js', false],
    ['Read(//etc/*.conf)', '/etc/a.conf', true],
    ['Read(//etc/*.conf)', '/etc/b/a.conf', false],
    ['Read(~/.ssh/**)', '/home/ann/.ssh/id', true],
    ['Read(~/.ssh/**)', '/w/shop/.ssh/id', false],
    ['Read(**/*.pem)', '/w/shop/k.pem', true],
    ['Read(**/*.pem)', '/other/k.pem', false],
    ['Read(*.p[ek]m)', '/w/shop/k.pkm', true],
    ['Read(a+b.txt)', '/w/shop/a+b.txt', true],
    ['Read(a+b.txt)', '/w/shop/aab.txt', false],
    ['Edit(./secret.txt)', '/w/shop/secret.txt', false],
    ['Bash(cat secret.txt)', '/w/shop/secret.txt', false],
  ];
  for (const [rule, file, expected] of cases) {
    assert.equal(denied(rule, file), expected, `${rule} ${file}`);
  }
});

test('a user’s rule with one slash counts below the settings’ folder too', () => {
  const source = 'userSettings';
  assert.equal(denied('Read(/x.md)', '/home/ann/.claude/x.md', { source }), true);
  assert.equal(denied('Read(/x.md)', '/home/ann/.claude/x.md'), false);
});

test('where the disk ignores case so does the rule, and Windows has its own slashes', () => {
  const mac = { ...linux, platform: 'darwin' };
  assert.equal(denied('Read(./Secret.txt)', '/w/shop/sECRET.TXT', { world: mac }), true);
  const windows = { cwd: 'C:\\shop', home: 'C:\\Users\\ann', platform: 'win32' };
  assert.equal(denied('Read(./a/b.txt)', 'c:\\shop\\A\\b.txt', { world: windows }), true);
  assert.equal(denied('Read(//c/shop/**)', 'C:\\shop\\a.txt', { world: windows }), true);
  assert.equal(denied('Read(~/x)', 'C:\\Users\\Ann\\x', { world: windows }), true);
});

test('the file behind a link counts as well', () => {
  const rules = [{ text: 'Read(secret.txt)', source: 'localSettings' }];
  const paths = ['/w/shop/link', '/w/shop/secret.txt'];
  assert.equal(readDeniedBy(rules, paths, linux)?.text, 'Read(secret.txt)');
  assert.equal(isReadRule('Read(x)'), true);
  assert.equal(isReadRule('ReadX'), false);
});

test('a name with a line break, and a rule with many stars, are covered and never take long', () => {
  assert.equal(denied('Read(./secrets/**)', '/w/shop/secrets/a\r\u2028b'), true);
  assert.equal(denied('Read(**/x)', '/w/shop/a\rb/x'), true);
  assert.equal(denied('Read(*a*a*a*a*a*a*a*b)', `/w/shop/${'a'.repeat(200)}`), true);
});
