import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { missingDependency } from '../../harness/boot/dependencies.mjs';

type Packages = Record<string, { version?: string; optional?: boolean }>;

interface Checkout {
  readonly wanted: Packages;
  /** What npm wrote into node_modules when it was done; undefined if it never was. */
  readonly installed?: Packages;
  /** Folders that are there. */
  readonly folders?: readonly string[];
}

async function verdictOn(checkout: Checkout): Promise<string | undefined> {
  const root = await mkdtemp(path.join(tmpdir(), 'patchbay deps '));
  try {
    const lock = { packages: { '': {}, ...checkout.wanted } };
    await writeFile(path.join(root, 'package-lock.json'), JSON.stringify(lock));
    for (const folder of checkout.folders ?? []) {
      await mkdir(path.join(root, folder), { recursive: true });
      await writeFile(path.join(root, folder, 'package.json'), '{}');
    }
    if (checkout.installed !== undefined) {
      const file = path.join(root, 'node_modules/.package-lock.json');
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, JSON.stringify({ packages: checkout.installed }));
    }
    return missingDependency(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

const A = 'node_modules/a';
const B = 'node_modules/b';
const one = { version: '1.0.0' };

describe('node_modules', () => {
  it('is used as it is when it is what the lock file asks for', async () => {
    const verdict = await verdictOn({
      wanted: { [A]: one, [B]: { version: '2.0.0', optional: true } },
      installed: { [A]: one },
      folders: [A],
    });
    assert.equal(verdict, undefined);
  });

  it('is incomplete when npm did not come to its end', async () => {
    const verdict = await verdictOn({ wanted: { [A]: one }, folders: [A] });
    assert.match(verdict ?? '', /missing or was cut off/);
  });

  it('is incomplete when a package is missing, another version, or gone from the disk', async () => {
    const wanted = { [A]: one, [B]: one };
    const all = [A, B];
    const missing = await verdictOn({ wanted, installed: { [A]: one }, folders: all });
    const other = { [A]: one, [B]: { version: '0.9.0' } };
    const older = await verdictOn({ wanted, installed: other, folders: all });
    const gone = await verdictOn({ wanted, installed: wanted, folders: [A] });
    assert.deepEqual(
      [missing, older, gone],
      [`${B} is not at 1.0.0`, `${B} is not at 1.0.0`, `${B} is missing`],
    );
  });

  it('is not what is asked for when it holds more', async () => {
    const verdict = await verdictOn({
      wanted: { [A]: one },
      installed: { [A]: one, [B]: one },
      folders: [A, B],
    });
    assert.equal(verdict, `${B} is not in the lock file`);
  });
});
