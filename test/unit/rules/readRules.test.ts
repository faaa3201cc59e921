import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileReadRules, isReadRule } from '../../../src/rules/readRules';

const linux = { cwd: '/w/shop', home: '/home/ann', platform: 'linux' };

function denied(rule: string, file: string, more: { source?: string; world?: typeof linux } = {}) {
  const rules = [{ text: rule, source: more.source ?? 'projectSettings' }];
  return compileReadRules(rules, [more.world ?? linux])([file]) !== undefined;
}

test('a rule is read as the CLI reads it', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['Read', '/anywhere', true],
    ['Read(./secret.txt)', '/w/shop/secret.txt', true],
    ['Read(./secret.txt)', '/w/shop/sub/secret.txt', true],
    ['Read(./secret.txt)', '/w/secret.txt', false],
    ['Read(secret.txt)', '/w/shop/sub/secret.txt', true],
    ['Read(.env*)', '/w/shop/a/.env.local', true],
    ['Read(secrets/**)', '/w/shop/secrets/a/b.txt', true],
    ['Read(secrets/**)', '/w/shop/sub/secrets/a.txt', true],
    ['Read(a/secrets/**)', '/w/shop/sub/a/secrets/a.txt', false],
    ['Read(secrets/*)', '/w/shop/sub/secrets/a.txt', false],
    ['Read(SECRET.txt)', '/w/shop/secret.txt', true],
    ['Read(a{b,c}.txt)', '/w/shop/ab.txt', false],
    ['Read(///etc/a)', '/etc/a', true],
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

test('names with parentheses and paths of Windows are kept back, however they are written', () => {
  const windows = { cwd: 'C:\\shop', home: 'C:\\Users\\ann', platform: 'win32' };
  const inFolder = 'C:\\Program Files (x86)\\keys\\a.txt';
  const kept: readonly (readonly [string, string])[] = [
    // As the CLI writes them, with a backslash before each parenthesis.
    ['Read(//c/Program Files \\(x86\\)/keys/**)', inFolder],
    ['Read(//c/Program Files (x86)/keys/**)', inFolder],
    ['Read(keys/a\\(1\\).txt)', 'C:\\shop\\keys\\a(1).txt'],
    ['Read(C:\\Users\\ann\\keys\\**)', 'c:\\users\\Ann\\keys\\a.txt'],
    ['Read(C:/Users/ann/keys/**)', 'C:\\Users\\ann\\keys\\a.txt'],
    ['Read(//C:/Users/ann/keys/**)', 'C:\\Users\\ann\\keys\\a.txt'],
    ['Read(/c:/a)', 'C:\\a'],
    ['Read(//c/a)', 'C:\\a'],
    ['Read(//server/share/keys/**)', '\\\\server\\share\\keys\\a.txt'],
    ['Read(\\\\server\\share\\**)', '\\\\Server\\Share\\a.txt'],
  ];
  for (const [rule, file] of kept) {
    assert.equal(denied(rule, file, { world: windows }), true, `${rule} ${file}`);
  }
  const free: readonly (readonly [string, string])[] = [
    ['Read(C:/Users/ann/keys/**)', 'D:\\Users\\ann\\keys\\a.txt'],
    ['Read(C:/Users/ann/keys/**)', 'C:\\shop\\a.txt'],
    ['Read(//server/share/**)', '\\\\server\\shared\\a.txt'],
  ];
  for (const [rule, file] of free) {
    assert.equal(denied(rule, file, { world: windows }), false, `${rule} ${file}`);
  }
  assert.equal(denied('Read(a\\(1\\).txt)', '/w/shop/a(1).txt'), true);
  assert.equal(denied('Read(C:/x)', '/x'), false, 'elsewhere it is a name like any other');
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
  assert.equal(compileReadRules(rules, [linux])(paths)?.text, 'Read(secret.txt)');
  assert.equal(isReadRule('Read(x)'), true);
  assert.equal(isReadRule('ReadX'), false);
  for (const text of ['*', 'R*d', 'Read*']) assert.equal(isReadRule(text), true, text);
  assert.equal(denied('R*d', '/w/shop/a.ts'), true);
  assert.equal(isReadRule('Web*'), false);
});

test('a name with a line break, and a rule with many stars, are covered and never take long', () => {
  assert.equal(denied('Read(./secrets/**)', '/w/shop/secrets/a\r\u2028b'), true);
  assert.equal(denied('Read(**/x)', '/w/shop/a\rb/x'), true);
  assert.equal(denied('Read(*a*a*a*a*a*a*a*b)', `/w/shop/${'a'.repeat(200)}`), true);
});

test('what a rule may mean is forbidden too: a path that climbs, spaces at its ends, letters composed or not', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['Read(../other/key.txt)', '/w/other/key.txt', true],
    ['Read(../../key.txt)', '/key.txt', true],
    ['Read(../../../key.txt)', '/key.txt', true],
    ['Read(./a/../b/key.txt)', '/w/shop/b/key.txt', true],
    ['Read(~/../bob/**)', '/home/bob/x', true],
    ['Read(../other/key.txt)', '/w/shop/other/key.txt', false],
    ['Read( key.txt )', '/w/shop/key.txt', true],
    ['Read(é.txt)', '/w/shop/é.txt'.normalize('NFD'), true],
    ['Read(é.txt)'.normalize('NFD'), '/w/shop/é.txt'.normalize('NFC'), true],
    ['Read(keys/)', '/w/shop/keys', true],
    ['Read(/w/shop/keys/**)', '/w/shop/keys/a', true],
    ['Read(/w/shop/keys)', '/w/shop/keys', true],
    ['Read(/home/ann/.ssh/**)', '/home/ann/.ssh/id', true],
    ['Read(/w/shop/keys/**)', '/w/shop/other', false],
    ['Read(/keys/**)', '/keys/a', false],
    ['Read(/**)', '/etc/hosts', false],
    ['Read(#keys/**)', '/w/shop/#keys/a', true],
  ];
  for (const [rule, file, expected] of cases) {
    assert.equal(denied(rule, file), expected, `${rule} ${file}`);
  }
});

test('one rule does not take back what another forbids', () => {
  const rules = ['Read(*.log)', 'Read(!keep.log)'].map((text) => ({ text, source: 'session' }));
  assert.equal(compileReadRules(rules, [linux])(['/w/shop/keep.log'])?.text, 'Read(*.log)');
});

test('a rule counts for each of the folders and homes under which the workspace is known', () => {
  const rules = [{ text: 'Read(./k/**)', source: 'session' }];
  const find = compileReadRules(rules, [linux, { ...linux, cwd: '/real/shop' }]);
  assert.ok(find(['/real/shop/k/a']));
  assert.ok(find(['/w/shop/k/a']));
  assert.equal(find(['/other/k/a']), undefined);
});
