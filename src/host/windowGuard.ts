import type { FileReadGuard } from '../conversation/fileReadGuard';
import type { ReadGuard } from '../editor/readGuard';
import type { KeptBackFiles } from './keptBackFiles';

/** What keeps files from the editor's tools: rules of the person, and what is kept back without one. */
export function createWindowGuard(rules: FileReadGuard, kept: KeptBackFiles): ReadGuard {
  return {
    ...joined(rules, kept),
    forOneCall: () => joined(rules.forOneCall(), kept.forOneCall()),
  };
}

function joined(
  rules: Pick<FileReadGuard, 'denied' | 'deniedWrites'>,
  kept: Pick<KeptBackFiles, 'withheld'>,
): ReadGuard {
  return {
    denied: (files) => rules.denied(files),
    deniedWrites: (files) => rules.deniedWrites(files),
    withheld: (files) => kept.withheld(files),
  };
}
