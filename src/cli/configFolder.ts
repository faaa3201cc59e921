import path from 'node:path';

export interface ConfigFolderOptions {
  /** Of the CLI. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The folder in which the CLI works; the home folder where none is open. */
  readonly folder?: string | undefined;
}

/**
 * Where the CLI keeps the person's own settings, plans and conversations. Fact (2.1.332): one that is
 * given by a relative path lies in the folder in which the CLI works.
 */
export function configFolder({ env, home, folder = home }: ConfigFolderOptions): string {
  const given = env.CLAUDE_CONFIG_DIR;
  return given !== undefined && given !== ''
    ? path.resolve(folder, given)
    : path.join(home, '.claude');
}
