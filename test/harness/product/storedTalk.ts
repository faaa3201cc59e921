import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { projectFolderName } from '../../../src/sessions/conversationPath';

type Json = Readonly<Record<string, unknown>>;

/** A conversation as the CLI keeps it on the disk, written line by line. */
export class StoredTalk {
  readonly sessionId = randomUUID();
  readonly #cwd: string;
  readonly #lines: string[] = [];
  #parent: string | null = null;
  #calls = 0;

  /** @param cwd the folder in which the CLI worked, absolute */
  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /** What the person said. @param pictures PNG files that were pasted in the terminal */
  said(words: string, pictures: readonly Buffer[] = []): void {
    const images = pictures.map((bytes) => ({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: bytes.toString('base64') },
    }));
    const content = images.length === 0 ? words : [{ type: 'text', text: words }, ...images];
    const imagePasteIds = pictures.map((_, at) => at + 1);
    const pasted = images.length === 0 ? {} : { imagePasteIds };
    this.#add({ type: 'user', message: { role: 'user', content }, ...pasted });
  }

  /** What the model said; it ends the turn. */
  answered(words: string): void {
    this.#answer({ type: 'text', text: words }, 'end_turn');
  }

  /** A call of a tool and what it gave. @param data the CLI's own account of it */
  called(name: string, input: Json, result: string, data: Json): void {
    this.#calls += 1;
    const id = `toolu_${this.#calls}`;
    this.#answer({ type: 'tool_use', id, name, input }, 'tool_use');
    const content = [{ type: 'tool_result', tool_use_id: id, content: result }];
    this.#add({ type: 'user', message: { role: 'user', content }, toolUseResult: data });
  }

  titled(customTitle: string): void {
    const { sessionId } = this;
    this.#lines.push(JSON.stringify({ type: 'custom-title', customTitle, sessionId }));
  }

  /** A line that a kill has cut. */
  torn(): void {
    this.#lines.push('{"type":"user","message":{"role":"us');
  }

  /** @param configFolder the CLI's own */
  async write(configFolder: string): Promise<void> {
    const folder = path.join(configFolder, 'projects', projectFolderName(this.#cwd));
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, `${this.sessionId}.jsonl`), this.#lines.join('\n'));
  }

  #answer(block: Json, stop: string): void {
    this.#add({
      type: 'assistant',
      message: {
        ...{ id: `msg_${this.#lines.length}`, type: 'message', role: 'assistant' },
        ...{ model: 'scripted', content: [block], stop_reason: stop, stop_sequence: null },
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    });
  }

  #add(record: Json): void {
    const uuid = randomUUID();
    const about = {
      ...{ uuid, parentUuid: this.#parent, sessionId: this.sessionId, cwd: this.#cwd },
      ...{ isSidechain: false, userType: 'external', version: '2.0.0' },
      timestamp: new Date(Date.now() - 60_000 + this.#lines.length).toISOString(),
    };
    this.#lines.push(JSON.stringify({ ...about, ...record }));
    this.#parent = uuid;
  }
}
