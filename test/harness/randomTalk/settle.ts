/** Rounds without anything under way after which nothing more comes by itself. */
const QUIET_ROUNDS = 4;

/** Lets go on what waits for a promise or for the disk, until nothing more comes without time going by. */
export async function settle(): Promise<void> {
  for (let quiet = 0; quiet < QUIET_ROUNDS; quiet += 1) {
    await turn();
    if (isReading()) quiet = -1;
  }
}

/** One round of it: the disk counts as infinitely quick, so that the same steps give the same order. */
export async function oneRound(): Promise<void> {
  await turn();
  while (isReading()) await turn();
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Fact (Node 20): the close of a file is listed as `CloseReq`, all else of the disk as `FSReq…`. */
function isReading(): boolean {
  return process
    .getActiveResourcesInfo()
    .some((name) => name.startsWith('FSReq') || name.endsWith('CloseReq'));
}
