import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { createConversationModel } from '../../src/chat/conversationModel';
import type { ViewState } from '../../src/chat/viewStateProtocol';
import { readConversationFile } from '../../src/sessions/conversationFile';
import { listConversations } from '../../src/sessions/conversationList';
import { projectFolderName } from '../../src/sessions/conversationPath';
import { draw, look, SAID } from '../harness/panelSandbox/hostileLook';
import { PAYLOADS, type Payload } from '../harness/panelSandbox/hostilePayloads';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import { emptyState } from '../harness/panelSandbox/states';

const { withPanel } = panelFixture();

/** What is drawn asks by itself for pictures, and for where names are defined. */
const ASKED = new Set([...SAID, 'loadImage', 'findSymbols']);

const SESSION = '11111111-2222-3333-4444-555555555555';
const CWD = '/w/shop';

type Json = Readonly<Record<string, unknown>>;

/** An object with the payload as a key of its own: `__proto__` as well. */
function keyed(text: string, value: unknown): Json {
  return Object.fromEntries([[text, value]]);
}

/** What the CLI would have written, with the payload wherever a text stands. */
function records(text: string, mark: string): readonly Json[] {
  const tools: readonly (readonly [name: string, input: Json])[] = [
    ['Bash', { command: text, description: text }],
    ['Edit', { file_path: text, old_string: text, new_string: `${text}x` }],
    ['Write', { file_path: text, content: text }],
    ['Read', { file_path: text }],
    ['WebFetch', { url: text, prompt: text }],
    ['Agent', { description: text, prompt: text, subagent_type: text }],
    ['TodoWrite', { todos: [{ content: text, activeForm: text, status: 'in_progress' }] }],
    ['ExitPlanMode', { plan: text }],
    [text.slice(0, 200), { ...keyed(text, text), title: text }],
    ['mcp__patchbay-editor__edit', keyed(text, text)],
  ];
  const calls = tools.flatMap(([name, input], at): Json[] => {
    const id = `call-${at}`;
    const result = { type: 'tool_result', tool_use_id: id, content: text, is_error: at % 2 === 1 };
    return [
      assistant(`m-${at}`, { type: 'tool_use', id, name, input }),
      {
        ...{ type: 'user', message: { role: 'user', content: [result] } },
        toolUseResult: {
          stdout: text,
          stderr: text,
          file: { filePath: text, content: text },
          ...keyed(text, text),
        },
        permissionDecision: { decision: text, source: text, reasonType: text },
        toolDenialKind: at % 3 === 0 ? text : undefined,
      },
    ];
  });
  return [
    { type: 'user', message: { role: 'user', content: text }, ...keyed(text, text) },
    assistant('m-think', { type: 'thinking', thinking: text, signature: text }),
    assistant('m-text', { type: 'text', text }),
    ...calls,
    { type: 'attachment', attachment: { type: 'queued_command', prompt: text, source_uuid: 'q' } },
    {
      type: 'system',
      subtype: 'local_command',
      content: `<local-command-stdout>${text}</local-command-stdout>`,
    },
    { type: 'system', subtype: text, content: text },
    { type: text, message: { role: text, content: text } },
    { type: 'user', message: { role: 'user', content: `<command-name>${text}</command-name>` } },
    { type: 'user', message: { role: 'user', content: `${text}\n\n${mark}` } },
    assistant('m-last', { type: 'text', text: `${text}\n\n${mark}` }),
    { type: 'custom-title', customTitle: text, sessionId: SESSION },
  ];
}

function assistant(id: string, block: Json): Json {
  const message = {
    id,
    role: 'assistant',
    model: 'model',
    content: [block],
    stop_reason: 'end_turn',
  };
  return { type: 'assistant', message };
}

async function folderOf(text: string, mark: string): Promise<string> {
  const configFolder = await mkdtemp(path.join(tmpdir(), 'patchbay hostile '));
  const folder = path.join(configFolder, 'projects', projectFolderName(CWD));
  await mkdir(folder, { recursive: true });
  let parentUuid: string | null = null;
  const lines: string[] = [];
  for (const [at, record] of records(text, mark).entries()) {
    const uuid = `u${at}`;
    // The keys of the chain last: a payload that is one of them must not cut it.
    lines.push(JSON.stringify({ ...record, uuid, parentUuid, cwd: CWD, sessionId: SESSION }));
    parentUuid = uuid;
  }
  // Torn, and a line that is the payload itself.
  lines.push(text, '{"type":"user","message":');
  await writeFile(path.join(folder, `${SESSION}.jsonl`), lines.join('\n'));
  return configFolder;
}

/** As a window draws it after a reload: the real reader, the real reducer. */
async function restored(configFolder: string): Promise<ViewState> {
  const stored = await readConversationFile({ configFolder, cwd: CWD, sessionId: SESSION });
  assert.ok(stored, 'it is found');
  const model = createConversationModel({ now: () => 0, folder: { name: 'shop', path: CWD } });
  const { title, isInterrupted, isCut } = stored;
  const messages = stored.messages.filter((row) => row.type !== 'interrupted');
  model.apply({ type: 'restored', messages, title, isInterrupted, isCut });
  return { ...emptyState(), ...model.snapshot() };
}

/** What is folded is drawn once it is opened: calls, thinking, what is in them. */
async function unfold({ page }: SandboxPanel): Promise<void> {
  for (let depth = 0; depth < 3; depth += 1) {
    await page.evaluate(
      () =>
        new Promise((done) => {
          const folded = document.querySelectorAll('[role="log"] button[aria-expanded="false"]');
          for (const button of folded) if (button instanceof HTMLElement) button.click();
          requestAnimationFrame(() => requestAnimationFrame(done));
        }),
    );
  }
}

async function attack(panel: SandboxPanel, payload: Payload, at: number): Promise<void> {
  const mark = `mark ${at} of the file`;
  const configFolder = await folderOf(payload.text, mark);
  try {
    const state = await restored(configFolder);
    const blocks = state.items.flatMap((item) => (item.kind === 'assistant' ? item.blocks : []));
    assert.ok(blocks.filter(({ kind }) => kind === 'tool').length >= 9, 'its calls are drawn');
    assert.equal((await listConversations({ configFolder, cwd: CWD })).length, 1);
    await draw(panel, state, mark);
    await unfold(panel);
    const what = `${payload.kind}: ${payload.text.slice(0, 80)}`;
    assert.deepEqual(await look(panel), { elements: [], attributes: [], ran: false }, what);
    assert.deepEqual(panel.requests, [], what);
    assert.equal(panel.page.url(), 'https://panel.invalid/', what);
    const posted = panel.posted.map(({ type }) => type).filter((type) => !ASKED.has(type));
    assert.deepEqual(posted, [], what);
  } finally {
    await rm(configFolder, { recursive: true, force: true });
  }
}

for (const kind of new Set(PAYLOADS.map((one) => one.kind))) {
  test(`nothing that stands in a conversation's file runs, loads or posts: ${kind}`, async () => {
    await withPanel(emptyState(), {}, async (panel) => {
      await panel.page.getByRole('log').waitFor();
      for (const [at, payload] of PAYLOADS.entries()) {
        if (payload.kind === kind) await attack(panel, payload, at);
      }
    });
    assert.equal(Object.hasOwn(Object.prototype, 'pwned'), false);
  });
}
