import { mkdtempSync } from 'node:fs';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createFakeCli, type FakeCli } from '../fakeCli/createFakeCli';
import type { FakeScript } from '../fakeCli/fakeCliScript';
import { realCliPath } from '../paths';

const ACCOUNT = {
  accessToken: 'stand-in-access',
  refreshToken: 'stand-in-refresh',
  scopes: ['user:inference', 'user:profile'],
  subscriptionType: 'max',
};

/**
 * A program in the place of the CLI, which is the real one behind what a test says: there is none, it
 * has no login, nobody answers, or a scripted one speaks. Its login waits for a word of the test, then
 * writes the file in which the CLI keeps an account.
 */
export class AgentStandIn {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'patchbay-stand-in-'));
  readonly #fakes: FakeCli[] = [];

  /** Where it is, or will be. */
  get command(): string {
    return path.join(this.#folder, 'claude');
  }

  /** The real CLI, that has an account once somebody has logged in. */
  async install(): Promise<void> {
    await mkdir(path.join(this.#folder, 'config'), { recursive: true });
    const account = { ...ACCOUNT, expiresAt: Date.now() + 86_400_000 };
    await writeFile(this.#file('account.json'), JSON.stringify({ claudeAiOauth: account }));
    await this.#write(`unset ANTHROPIC_API_KEY
export CLAUDE_CONFIG_DIR='${this.#file('config')}'
if [ "$1 $2" = 'auth login' ]; then
  while [ ! -e '${this.#file('go')}' ]; do sleep 0.1; done
  cp '${this.#file('account.json')}' '${this.#file('config')}/.credentials.json'
  exit 0
fi
exec '${realCliPath}' "$@"`);
  }

  /** The person has done what the login asks for. */
  async finishLogin(): Promise<void> {
    await writeFile(this.#file('go'), '');
  }

  /** The real CLI, with the model at this address in place of the one that the editor names. */
  async real(modelUrl?: string): Promise<void> {
    const address = modelUrl === undefined ? '' : `export ANTHROPIC_BASE_URL='${modelUrl}'\n`;
    await this.#write(`${address}export CLAUDE_CODE_MAX_RETRIES=1\nexec '${realCliPath}' "$@"`);
  }

  /** The scripted CLI. A gate of its script is a file in the folder in which it works. */
  async fake(script: FakeScript): Promise<void> {
    const fake = await createFakeCli(script);
    this.#fakes.push(fake);
    const { FAKE_CLI_SCRIPT, FAKE_CLI_RECORD } = fake.env;
    await this
      .#write(`export FAKE_CLI_SCRIPT='${FAKE_CLI_SCRIPT}' FAKE_CLI_RECORD='${FAKE_CLI_RECORD}'
exec '${fake.command}' "$@"`);
  }

  async dispose(): Promise<void> {
    for (const fake of this.#fakes) await fake.dispose();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  #file(name: string): string {
    return path.join(this.#folder, name);
  }

  /** In one step: one that is being written cannot be run. */
  async #write(script: string): Promise<void> {
    const next = this.#file('next');
    await writeFile(next, `#!/bin/sh\n${script}\n`);
    await chmod(next, 0o755);
    await rename(next, this.command);
  }
}
