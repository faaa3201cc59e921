import { closeSync, openSync, readdirSync, readSync } from 'node:fs';

/** What the first bytes of a program tell, before the system is asked to run it. */

/** A download that broke off, or a program of another system: the system would run it as a shell script. */
export function isDamaged(file: string, platform: NodeJS.Platform = process.platform): boolean {
  if (platform === 'win32') return false;
  let start: Buffer;
  try {
    start = readStart(file);
  } catch {
    // Whoever starts it is told why.
    return false;
  }
  // Formats that some system starts: ELF, Mach-O in its orders and sizes, and Windows' below Linux.
  const isProgram = /^(?:7f454c46|feedfac[ef]|c[ef]faedfe|cafebabe|4d5a)/.test(
    start.toString('hex'),
  );
  return start.length === 0 || (start.includes(0) && !isProgram);
}

/** `e_machine` of the ELF header (two bytes at 18) to Node's word for the processor. */
const ELF_MACHINES: Readonly<Record<number, string>> = {
  3: 'ia32',
  21: 'ppc64',
  22: 's390x',
  40: 'arm',
  62: 'x64',
  183: 'arm64',
  243: 'riscv64',
  258: 'loong64',
};
/** What a processor runs beside its own. */
const ALSO_RUNS: Readonly<Record<string, string>> = { x64: 'ia32', arm64: 'arm' };

interface Machine {
  /** As `process.arch`. */
  readonly arch: string;
  readonly emulates: () => boolean;
}

/**
 * The processor that a Linux program is for, where this machine cannot run it; undefined for all
 * others. The system itself would hand such a file to the shell, whose words help nobody.
 */
export function otherProcessor(
  file: string,
  machine: Machine = { arch: process.arch, emulates: hasEmulator },
): string | undefined {
  let start: Buffer;
  try {
    start = readStart(file);
  } catch {
    // Whoever starts it is told why.
    return undefined;
  }
  if (start.length < 20 || start.readUInt32BE(0) !== 0x7f454c46) return undefined;
  const isBigEndian = start[5] === 2;
  const wanted = ELF_MACHINES[isBigEndian ? start.readUInt16BE(18) : start.readUInt16LE(18)];
  const { arch, emulates } = machine;
  if (wanted === undefined || wanted === arch || wanted === ALSO_RUNS[arch]) return undefined;
  return emulates() ? undefined : wanted;
}

/** Linux may have been told of an emulator for programs of other processors. */
function hasEmulator(): boolean {
  try {
    const entries = readdirSync('/proc/sys/fs/binfmt_misc');
    return entries.some((name) => name !== 'register' && name !== 'status');
  } catch {
    return false;
  }
}

function readStart(file: string): Buffer {
  const bytes = Buffer.alloc(64);
  const descriptor = openSync(file, 'r');
  try {
    return bytes.subarray(0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}
