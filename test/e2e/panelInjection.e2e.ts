import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../harness/panelSandbox/eventually';
import { GALLERY } from '../harness/panelSandbox/galleryStates';
import { PAYLOADS, type Payload } from '../harness/panelSandbox/hostilePayloads';
import { draw, HARMLESS, look, SAID, untouched } from '../harness/panelSandbox/hostileLook';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import { emptyState, workState } from '../harness/panelSandbox/states';
import { hasDefinition, splitBlocks } from '../../src/chat/markdown';
import type { ViewState } from '../../src/chat/viewStateProtocol';

const { withPanel } = panelFixture();

/** Words of the protocol, whose values are the host's own; every other text may come from anywhere. */
const OWN_WORDS = new Set([
  ...['kind', 'id', 'icon', 'mode', 'sendKey', 'state', 'bodyKind', 'tone', 'change', 'format'],
  ...['model', 'answer', 'mediaType', 'wireId', 'parentToolUseId', 'toolUseId', 'actions'],
]);
/** The state with the payload in every text that is not the protocol's own. */
function infected(value: unknown, payload: string, key = ''): unknown {
  if (typeof value === 'string') return OWN_WORDS.has(key) ? value : payload;
  if (Array.isArray(value)) return value.map((one) => infected(one, payload, key));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, infected(one, payload, name)]);
  return Object.fromEntries(entries) as unknown;
}

/** Everywhere at once: what the panel draws of it, asks for and posts. */
async function attack(panel: SandboxPanel, payload: Payload, at: number): Promise<void> {
  const mark = `mark ${at} of the payloads`;
  const states = [workState(), GALLERY[at % GALLERY.length]?.state() ?? workState()];
  for (const state of states) {
    // Made from the state of a test by exchanging texts for texts.
    const hostile = infected(state, `${payload.text}\n\n${mark}`) as ViewState;
    await draw(panel, hostile, mark);
    const what = `${payload.kind}: ${payload.text.slice(0, 80)}`;
    assert.deepEqual(
      await look(panel),
      { elements: [], attributes: [], ran: false },
      `${what} in ${state.title}`,
    );
    assert.deepEqual(panel.requests, [], what);
    assert.equal(panel.page.url(), 'https://panel.invalid/', what);
  }
}

const kinds = [...new Set(PAYLOADS.map(({ kind }) => kind))];

test('there are at least a hundred payloads, each another one', () => {
  assert.ok(PAYLOADS.length >= 100, String(PAYLOADS.length));
  assert.equal(new Set(PAYLOADS.map(({ text }) => text)).size, PAYLOADS.length);
});

for (const kind of kinds) {
  test(`nothing that is written runs, loads or posts, wherever it stands: ${kind}`, async () => {
    await withPanel(workState(), {}, async (panel) => {
      await panel.page.getByRole('log').waitFor();
      const dialogs: string[] = [];
      panel.page.on('dialog', (dialog) => {
        dialogs.push(dialog.message());
        void dialog.dismiss();
      });
      for (const [at, payload] of PAYLOADS.entries()) {
        if (payload.kind === kind) await attack(panel, payload, at);
      }
      assert.deepEqual(dialogs, []);
      const posted = new Set(panel.posted.map(({ type }) => type));
      assert.deepEqual(
        [...posted].filter((type) => !SAID.has(type)),
        [],
      );
    });
  });
}

test('nothing runs, loads or posts where all of them stand in one text, drawn several blocks at a time', async () => {
  await withPanel(workState(), {}, async (panel) => {
    await panel.page.getByRole('log').waitFor();
    const mark = 'mark behind all payloads';
    // A definition makes one block of the whole text, which the other tests draw.
    const texts = PAYLOADS.map(({ text }) => text).filter(
      (text) => text.length < 2_000 && !hasDefinition(text),
    );
    const all = [...texts, mark].join('\n\nBetween them.\n\n');
    await draw(panel, infected(workState(), all) as ViewState, mark);
    const blocks = panel.page.locator('.text').first().locator('.md-block');
    await eventually(async () => (await blocks.count()) === splitBlocks(all).length);
    assert.ok((await blocks.count()) >= 200);
    await untouched(panel);
  });
});

test('the look at what is drawn finds what it is meant to find', async () => {
  await withPanel(workState(), {}, async (panel) => {
    await panel.page.getByRole('log').waitFor();
    await panel.page.evaluate(() => {
      const link = document.createElement('a');
      link.setAttribute('href', 'command:x');
      const button = document.createElement('button');
      button.setAttribute('formaction', 'x');
      document.querySelector('.scroller')?.append(document.createElement('form'), link, button);
    });
    const { elements, attributes } = await look(panel);
    assert.deepEqual(elements, ['<form></form>']);
    assert.deepEqual(attributes, ['href=command:x', 'formaction=x']);
  });
});

test('nothing in a file of a conversation runs, loads or posts: titles and first prompts', async () => {
  const rows = PAYLOADS.map(({ text }, at) => ({
    ...{ sessionId: `s${at}`, title: text.slice(0, 2_000), about: text.slice(0, 2_000) },
    changedAt: at,
  }));
  await withPanel(emptyState(), {}, async (panel) => {
    await panel.page.getByRole('button', { name: 'Conversations', exact: true }).click();
    await eventually(() => panel.sent('listConversations').length === 1);
    await panel.send({ type: 'conversations', answer: { kind: 'list', rows } });
    await eventually(async () => (await panel.page.getByRole('option').count()) >= 100);
    await untouched(panel);
  });
});

test('no name of a file runs, loads or posts: mentions', async () => {
  const rows = PAYLOADS.map(({ text }, at) => {
    const words = text.slice(0, 2_000);
    return { id: `f${at}`, icon: 'file', label: words, description: words, insert: words };
  });
  await withPanel(emptyState(), {}, async (panel) => {
    await panel.page.getByRole('textbox', { name: 'Message', exact: true }).focus();
    await panel.page.keyboard.type('@');
    await eventually(() => panel.sent('suggest').length > 0);
    const { queryId } = panel.sent('suggest').at(-1) ?? {};
    assert.ok(queryId !== undefined);
    const answer = { rows, notes: [], isPending: false };
    await panel.send({ type: 'suggestions', queryId, answer });
    await eventually(async () => (await panel.page.getByRole('option').count()) > 100);
    await untouched(panel);
  });
});

test('a link that is pressed is handed to the host with its address, and leads nowhere by itself', async () => {
  const links = PAYLOADS.filter(({ kind }) => kind === 'Markdown and links');
  await withPanel(workState(), {}, async (panel) => {
    for (const [at, { text }] of links.entries()) {
      const mark = `link ${at} of the payloads`;
      await draw(panel, infected(workState(), `${text}\n\n${mark}`) as ViewState, mark);
      for (const link of await panel.page.locator('.text a').all()) await link.click();
    }
    assert.equal(panel.page.url(), 'https://panel.invalid/');
    assert.deepEqual(panel.requests, []);
    const opened = panel.sent('openLink').map(({ href }) => href);
    assert.ok(opened.length > 0);
    for (const href of opened) assert.match(href.trim(), HARMLESS);
  });
});

test('no value of a setting runs, loads or posts: model, mode, notice and folder', async () => {
  await withPanel(workState(), {}, async (panel) => {
    await panel.page.getByRole('log').waitFor();
    for (const [at, { text }] of PAYLOADS.entries()) {
      const mark = `setting ${at} of the payloads`;
      const words = text.slice(0, 2_000);
      const folder = { name: words, path: words };
      const notice = `${words} ${mark}`;
      const hostile = { ...workState(), model: words, mode: words, notice, folder };
      await draw(panel, hostile, mark);
      await untouched(panel);
    }
    const posted = panel.posted.map(({ type }) => type).filter((type) => !SAID.has(type));
    assert.deepEqual(posted, []);
  });
});
