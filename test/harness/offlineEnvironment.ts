import { mkdir } from 'node:fs/promises';
import { startModel } from './model/modelServer';
import { cliEnvironment } from './model/realCli';

export interface OfflineEnvironment {
  /** For VS Code's server: ties every CLI below it to the scripted model, in a home of its own. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts the scripted model; `home` becomes the home folder. Nothing of the person's is reached. */
export async function offlineEnvironment(home: string): Promise<OfflineEnvironment> {
  await mkdir(home, { recursive: true });
  const model = await startModel();
  return {
    env: { ...cliEnvironment(model.url, home), PATCHBAY_OFFLINE_MODEL: '1' },
    close: () => model.close(),
  };
}
