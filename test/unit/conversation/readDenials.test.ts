import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { UserFacingError } from '../../../src/base/errors';
import { ControlRequestError } from '../../../src/cli/outboundCalls';
import { readDenialsOf } from '../../../src/conversation/readDenials';

const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'patchbay-denials-')));
after(() => rmSync(base, { recursive: true }));
mkdirSync(path.join(base, 'real/secrets'), { recursive: true });
writeFileSync(path.join(base, 'real/secrets/k.txt'), 'k');
symlinkSync('real', path.join(base, 'link'));
symlinkSync('secrets', path.join(base, 'real/pub'));

const rules = (...texts: string[]) => ({
  state: { rules: texts.map((rule) => ({ behavior: 'deny', rule, source: 'projectSettings' })) },
});
const answering = (answer: () => Promise<unknown>) => ({ request: answer }) as never;

test('a rule means its folder by whichever path it was opened, and the file by whichever it is named', async () => {
  const session = answering(() => Promise.resolve(rules('Read(./secrets/**)')));
  for (const cwd of ['real', 'link']) {
    const denials = await readDenialsOf(session, path.join(base, cwd));
    for (const file of [
      'real/secrets/k.txt',
      'link/secrets/k.txt',
      'real/pub/k.txt',
      'link/pub/k.txt',
    ]) {
      const denied = await denials(path.join(base, file));
      assert.equal(denied, 'Read(./secrets/**)', `${file} from ${cwd}`);
    }
    assert.equal(await denials(path.join(base, cwd, 'open.txt')), undefined);
  }
});

test('rules that are not told, or not understood, let nothing be read; an old CLI has none to tell', async () => {
  const failures: (() => Promise<unknown>)[] = [
    () => Promise.reject(new ControlRequestError('timedOut', 'no answer')),
    () => Promise.reject(new ControlRequestError('refused', 'busy', { code: 'internal' })),
    () => Promise.resolve({ state: { rules: 'none' } }),
  ];
  for (const failure of failures) {
    await assert.rejects(readDenialsOf(answering(failure), base), UserFacingError);
  }
  const mixed = {
    state: { rules: [null, ...rules('Read(./real/**)').state.rules, { source: 7 }] },
  };
  const some = await readDenialsOf(
    answering(() => Promise.resolve(mixed)),
    base,
  );
  assert.equal(await some(path.join(base, 'real/secrets/k.txt')), 'Read(./real/**)');
  const old = new ControlRequestError('refused', 'unknown', { code: 'unsupported_request' });
  const denials = await readDenialsOf(
    answering(() => Promise.reject(old)),
    base,
  );
  assert.equal(await denials(path.join(base, 'real/secrets/k.txt')), undefined);
});
