import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { projectFolderName } from '../../../src/sessions/conversationPath';

/** Writes the files of sessions as the CLI does, so that what comes back after a reload is read from them. */
export class SessionsOnDisk {
  readonly #folder: string;
  readonly #cwd: string;
  /** The last record of each session. */
  readonly #last = new Map<string, string>();

  constructor(configFolder: string, cwd: string) {
    this.#cwd = cwd;
    this.#folder = path.join(configFolder, 'projects', projectFolderName(cwd));
    mkdirSync(this.#folder, { recursive: true });
  }

  has(sessionId: string): boolean {
    return existsSync(this.#file(sessionId));
  }

  /** A prompt, under the uuid that was sent. */
  prompt(sessionId: string, uuid: string, content: unknown): void {
    this.#write(sessionId, { type: 'user', uuid, message: { role: 'user', content } });
  }

  /** A prompt that the model read while it worked on another one. */
  steered(sessionId: string, uuid: string, content: unknown): void {
    const attachment = { type: 'queued_command', source_uuid: uuid, prompt: content };
    this.#write(sessionId, { type: 'attachment', uuid: randomUUID(), attachment });
  }

  /** What opens a turn that nobody asked for. */
  unasked(sessionId: string): void {
    const content = '<task-notification><task-id>t</task-id></task-notification>';
    const origin = { kind: 'task-notification' };
    const message = { role: 'user', content };
    this.#write(sessionId, { type: 'user', uuid: randomUUID(), message, origin });
  }

  assistant(sessionId: string, uuid: string, id: string, block: object, isLast: boolean): void {
    const message = {
      ...{ id, role: 'assistant', model: 'scripted', content: [block] },
      stop_reason: isLast ? 'end_turn' : 'tool_use',
    };
    this.#write(sessionId, { type: 'assistant', uuid, message });
  }

  toolResult(sessionId: string, content: readonly object[]): void {
    const message = { role: 'user', content };
    this.#write(sessionId, { type: 'user', uuid: randomUUID(), message });
  }

  #write(sessionId: string, record: { readonly uuid: string; readonly [key: string]: unknown }) {
    const parentUuid = this.#last.get(sessionId) ?? null;
    this.#last.set(sessionId, record.uuid);
    const line = { ...record, parentUuid, cwd: this.#cwd, sessionId, isSidechain: false };
    appendFileSync(this.#file(sessionId), `${JSON.stringify(line)}\n`);
  }

  #file(sessionId: string): string {
    return path.join(this.#folder, `${sessionId}.jsonl`);
  }
}
