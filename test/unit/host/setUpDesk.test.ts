import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeferred } from '../../../src/base/deferred';
import { UserFacingError } from '../../../src/base/errors';
import { silentLogger } from '../../../src/base/logger';
import type { LoginAnswer } from '../../../src/cli/askLogin';
import { SetUpDesk, type SetUpDone } from '../../../src/host/setUpDesk';

const notFound = new UserFacingError('It was not found.', { next: 'Install it.', details: 'PATH' });

/** A desk over a machine on which things can be put. */
function deskOn(machine: { cli?: boolean; login?: LoginAnswer['state']; chosen?: string } = {}) {
  const done: SetUpDone[] = [];
  const did: string[] = [];
  let finds = 0;
  const desk = new SetUpDesk<string>({
    log: silentLogger,
    find: () => {
      finds += 1;
      return machine.cli === true ? Promise.resolve('claude') : Promise.reject(notFound);
    },
    askLogin: () => Promise.resolve({ state: machine.login ?? 'no', text: '' }),
    openLogin: () => Promise.resolve(void did.push('login')),
    chooseFile: () => Promise.resolve(machine.chosen),
    setPath: (file) => {
      machine.cli = true;
      return Promise.resolve(void did.push(`path ${file}`));
    },
  });
  desk.onDidFinish((what) => done.push(what));
  return { desk, done, did, machine, finds: () => finds, state: () => desk.state };
}

test('the program is looked for once ahead of the first message, and what is missing is said', async () => {
  const { desk, state, finds } = deskOn();
  assert.equal(state(), undefined);
  await Promise.all([desk.look(), desk.look()]);
  assert.equal(finds(), 1);
  const { lacks, message, next, details } = state() ?? {};
  assert.deepEqual(
    [lacks, message, next, details],
    ['cli', 'It was not found.', 'Install it.', 'PATH'],
  );
});

test('Check again says that nothing has changed, then that it is there, and what waited can be sent', async () => {
  const { desk, state, done, machine } = deskOn();
  desk.missing(notFound);
  await desk.check();
  assert.deepEqual([state()?.lacks, state()?.checks], ['cli', 1]);
  machine.cli = true;
  machine.login = 'yes';
  const checking = desk.check();
  assert.equal(state()?.busy, 'looking');
  await checking;
  assert.equal(state(), undefined);
  assert.deepEqual(done, [{ what: 'cli', renew: false }]);
});

test('behind the program the login is what is missing', async () => {
  const { desk, state, done } = deskOn({ cli: true, login: 'no' });
  desk.missing(notFound);
  await desk.check();
  assert.equal(state()?.lacks, 'login');
  assert.equal(state()?.checks, undefined, 'that is news');
  assert.deepEqual(done, [{ what: 'cli', renew: false }]);
  await desk.check();
  assert.equal(state()?.checks, 1);
});

test('a CLI that starts tells whether it has a login', () => {
  const { desk, state, done } = deskOn();
  desk.started(true);
  assert.equal(state(), undefined);
  desk.missing(notFound);
  desk.started(false);
  assert.equal(state()?.lacks, 'login');
  desk.started(false);
  desk.started(true);
  assert.equal(state(), undefined);
  assert.deepEqual(done, [
    { what: 'cli', renew: false },
    { what: 'login', renew: false },
  ]);
});

test('the login runs in its terminal until that ends, whichever way', async () => {
  const { desk, state, done, did } = deskOn();
  desk.started(false);
  await desk.login();
  assert.deepEqual([did, state()?.busy], [['login'], 'loggingIn']);
  desk.started(false);
  assert.equal(state()?.busy, 'loggingIn', 'another CLI that starts meanwhile changes nothing');
  desk.loginEnded('notLoggedIn');
  assert.deepEqual([state()?.lacks, state()?.busy], ['login', undefined]);
  desk.loginEnded('loggedIn');
  assert.equal(state(), undefined);
  desk.loginEnded('loggedIn');
  // The second was a login in place of a key that the API refused.
  assert.deepEqual(done, [
    { what: 'login', renew: true },
    { what: 'login', renew: true },
  ]);
});

test('a program that the person names is written down and looked at', async () => {
  const { desk, state, did, machine } = deskOn({ login: 'yes' });
  desk.missing(notFound);
  await desk.chooseCli();
  assert.deepEqual([did, state()?.lacks], [[], 'cli'], 'nothing was chosen');
  machine.chosen = '/opt/claude';
  await desk.chooseCli();
  assert.deepEqual([did, state()], [['path /opt/claude'], undefined]);
});

test('what may have mended it is looked at in silence, and only while something is missing', async () => {
  const { desk, state, finds } = deskOn();
  await desk.recheck();
  assert.equal(finds(), 0);
  desk.missing(notFound);
  await desk.recheck();
  assert.deepEqual([finds(), state()?.checks], [1, 0]);
});

test('two checks at once are one, and one that breaks leaves what was known', async () => {
  const broken = createDeferred<string>();
  let finds = 0;
  const desk = new SetUpDesk<string>({
    log: silentLogger,
    find: () => {
      finds += 1;
      return broken.promise;
    },
    askLogin: () => Promise.resolve({ state: 'yes', text: '' }),
    openLogin: () => Promise.resolve(),
    chooseFile: () => Promise.resolve(undefined),
    setPath: () => Promise.resolve(),
  });
  desk.missing(notFound);
  const both = [desk.check(), desk.check()];
  broken.reject(new Error('broken'));
  for (const one of both) await assert.rejects(one, /broken/);
  const { lacks, busy } = desk.state ?? {};
  assert.deepEqual([finds, lacks, busy], [1, 'cli', undefined]);
});
