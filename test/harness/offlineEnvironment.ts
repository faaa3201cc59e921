import { mkdir } from 'node:fs/promises';
import { startDemoModel } from './model/demoModel';
import { cliEnvironment } from './model/realCli';

export type EnvironmentChanges = Readonly<Record<string, string | undefined>>;

export interface OfflineEnvironment {
  /** For VS Code's server: ties every CLI below it to the scripted model, in a home of its own. */
  readonly env: EnvironmentChanges;
  close(): Promise<void>;
}

/** Starts the scripted model; `home` becomes the home folder. Nothing of the person's is reached. */
export async function offlineEnvironment(home: string): Promise<OfflineEnvironment> {
  await mkdir(home, { recursive: true });
  const model = await startDemoModel();
  return { env: offlineVariables(model.url, home), close: () => model.close() };
}

/** The same for a model that runs already. */
export function offlineVariables(modelUrl: string, home: string): EnvironmentChanges {
  return {
    ...withoutOwnLogin(),
    ...cliEnvironment(modelUrl, home),
    PATCHBAY_OFFLINE_MODEL: '1',
  };
}

/** Another provider or model of the person's would win over the address of ours. */
export function withoutOwnLogin(): EnvironmentChanges {
  const names = Object.keys(process.env).filter((name) => /^(ANTHROPIC_|CLAUDE)/.test(name));
  return Object.fromEntries(names.map((name) => [name, undefined]));
}
