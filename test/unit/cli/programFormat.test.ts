import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { isDamaged, otherProcessor } from '../../../src/cli/programFormat';

const folder = mkdtempSync(path.join(tmpdir(), 'patchbay format '));
after(() => rmSync(folder, { recursive: true }));

function file(content: Uint8Array | string): string {
  const full = path.join(folder, 'program');
  writeFileSync(full, content);
  return full;
}

/** The header of an ELF file for `machine`, as the system reads it. */
function elf(machine: number, bigEndian = false): Buffer {
  const header = Buffer.alloc(64);
  header.set([0x7f, 0x45, 0x4c, 0x46, 2, bigEndian ? 2 : 1, 1]);
  if (bigEndian) header.writeUInt16BE(machine, 18);
  else header.writeUInt16LE(machine, 18);
  return header;
}

const plain = (arch: string) => ({ arch, emulates: () => false });

describe('the format of a program', () => {
  it('names the processor that a program is for where this machine cannot run it', () => {
    const table = [
      [183, 'x64', 'arm64'],
      [62, 'arm64', 'x64'],
      [62, 'x64', undefined],
      [3, 'x64', undefined],
      [40, 'arm64', undefined],
      [40, 'x64', 'arm'],
      // Not one that is known: the system may say what it is.
      [9999, 'x64', undefined],
    ] as const;
    for (const [machine, arch, expected] of table) {
      assert.equal(otherProcessor(file(elf(machine)), plain(arch)), expected, `${machine} ${arch}`);
    }
    assert.equal(otherProcessor(file(elf(22, true)), plain('x64')), 's390x');
  });

  it('says nothing of a machine with an emulator, of scripts, stumps and missing files', () => {
    const emulating = { arch: 'x64', emulates: () => true };
    assert.equal(otherProcessor(file(elf(183)), emulating), undefined);
    for (const content of ['#!/bin/sh\n', '', elf(183).subarray(0, 12)]) {
      assert.equal(otherProcessor(file(content), plain('x64')), undefined);
    }
    assert.equal(otherProcessor(path.join(folder, 'none'), plain('x64')), undefined);
    assert.equal(otherProcessor(process.execPath), undefined, 'what runs here is for this machine');
  });

  it('takes what is empty or binary without being a program for damaged', () => {
    assert.equal(isDamaged(file(''), 'linux'), true);
    assert.equal(isDamaged(file(new Uint8Array([1, 0, 2])), 'linux'), true);
    assert.equal(isDamaged(file('echo hi\n'), 'linux'), false);
    assert.equal(isDamaged(file(elf(183)), 'linux'), false);
    assert.equal(isDamaged(file(''), 'win32'), false, 'there the system says it');
  });
});
