import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImageRef } from '../../src/chat/imageProtocol';
import type { ViewState } from '../../src/chat/viewStateProtocol';
import { HEIC, pngBytes, pngSize } from '../harness/pictureBytes';
import { axeFindings } from '../harness/panelSandbox/axe';
import { eventually } from '../harness/panelSandbox/eventually';
import { dragOver, drop, paste, type FileOfTest } from '../harness/panelSandbox/giveFiles';
import { panelFixture } from '../harness/panelSandbox/panelFixture';
import type { SandboxPanel } from '../harness/panelSandbox/sandbox';
import { emptyState, streamingState, workState } from '../harness/panelSandbox/states';

const { withPanel, message, overflows } = panelFixture();

const blue = pngBytes(160, 90, [40, 90, 200]);
const png = (name: string, bytes = blue): FileOfTest => ({ name, type: 'image/png', bytes });
const ref = (id: string, name: string): ImageRef => ({
  ...{ id, name, mediaType: 'image/png', bytes: blue.length, width: 160, height: 90 },
});

const attachments = (panel: SandboxPanel) =>
  panel.page.getByRole('list', { name: 'Attachments', exact: true }).getByRole('listitem');
const problem = (panel: SandboxPanel) => panel.page.getByRole('alert');

/** Answers what the panel asks for, and waits until that many pictures are drawn. */
async function drawn(panel: SandboxPanel, count: number): Promise<void> {
  await eventually(() => panel.sent('loadPicture').length === count);
  for (const { id } of panel.sent('loadPicture')) {
    const picture = { mediaType: 'image/png', data: blue.toString('base64') } as const;
    await panel.send({ type: 'picture', id, picture });
  }
  await panel.page
    .locator('.picture-image')
    .nth(count - 1)
    .waitFor();
}

function saidState(images: readonly ImageRef[]): ViewState {
  const state = workState();
  return {
    ...state,
    items: [
      { kind: 'user', id: 'u1', text: 'What is wrong here?', images },
      ...state.items.slice(1),
    ],
    permissions: [],
    queue: [{ id: 'q1', text: 'and here?', images }],
  };
}

test('a pasted picture stands there as a thumbnail, and goes with the message', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    await message(panel).fill('what is this?');
    assert.equal(await paste(panel, { files: [png('image.png')] }), true);
    await attachments(panel).locator('img').waitFor();
    await eventually(() => panel.sent('draft').at(-1)?.images?.length === 1);
    const [attached] = panel.sent('attach');
    assert.ok(attached);
    assert.deepEqual([attached.name, attached.width, attached.height], ['Picture 1', 160, 90]);
    assert.deepEqual(Buffer.from(attached.data, 'base64'), blue, 'what fits goes as it is');
    await panel.page.getByRole('button', { name: 'Remove Picture 1', exact: true }).waitFor();
    await message(panel).press('Enter');
    await eventually(() => panel.sent('submit').length === 1);
    const [submit] = panel.sent('submit');
    assert.ok(submit);
    assert.deepEqual(submit.images, [attached.id]);
    await panel.send({ type: 'submitted', promptId: submit.promptId });
    await attachments(panel).waitFor({ state: 'detached' });
    assert.equal(await message(panel).inputValue(), '');
  });
});

test('Remove takes a picture out and gives the caret back; a picture alone can be sent', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    await paste(panel, { files: [png('a.png'), png('b.png')] });
    await attachments(panel).nth(1).locator('img').waitFor();
    await panel.page.getByRole('button', { name: 'Remove a.png', exact: true }).click();
    await eventually(async () => (await attachments(panel).count()) === 1);
    await eventually(() => panel.sent('detach').length === 1);
    assert.equal(await message(panel).evaluate((box) => box === document.activeElement), true);
    await panel.page.getByRole('button', { name: 'Send', exact: true }).click();
    await eventually(() => panel.sent('submit').length === 1);
    const b = panel.sent('attach').find(({ name }) => name === 'b.png');
    assert.deepEqual(panel.sent('submit')[0]?.images, [b?.id]);
    assert.equal(panel.sent('submit')[0]?.text, '');
  });
});

test('a picture that is too large for the model is made smaller, and keeps its shape', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    const wide = pngBytes(4200, 30, [200, 40, 40]);
    // Noise, which no PNG makes small.
    const noise = pngBytes(1200, 1100);
    await paste(panel, { files: [png('wide.png', wide), png('noise.png', noise)] });
    await eventually(() => panel.sent('attach').length === 2);
    const bytes = (name: string): Buffer => {
      const data = panel.sent('attach').find((one) => one.name === name)?.data ?? '';
      return Buffer.from(data, 'base64');
    };
    assert.deepEqual(pngSize(bytes('wide.png')), { width: 2000, height: 14 });
    assert.ok(bytes('noise.png').length <= 3_750_000, `${bytes('noise.png').length} bytes`);
    await attachments(panel).getByText('made smaller for the model').first().waitFor();
  });
});

test('what is no picture, is empty or damaged is said, never silent', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    const bad: readonly [FileOfTest, string][] = [
      [{ name: 'photo.heic', type: '', bytes: HEIC }, 'photo.heic is a HEIC file'],
      [png('fake.png', Buffer.from('hello')), 'fake.png is no picture that can be sent'],
      [png('empty.png', Buffer.alloc(0)), 'empty.png is empty'],
      [png('torn.png', blue.subarray(0, 30)), 'torn.png is damaged'],
      [{ name: 'a.pdf', type: 'application/pdf', bytes: blue }, 'a.pdf: the panel is not told'],
    ];
    for (const [file, words] of bad) {
      assert.equal(await paste(panel, { files: [file] }), true);
      await problem(panel).getByText(words).waitFor();
    }
    await eventually(async () => (await attachments(panel).count()) === 0);
    assert.deepEqual(panel.sent('attach'), []);
  });
});

test('text is pasted as text, also where a picture of it comes with it', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    const both = { files: [png('image.png')], texts: { 'text/plain': 'a\tb' } };
    assert.equal(await paste(panel, both), false);
    const html = { files: [png('image.png')], texts: { 'text/html': '<img src="x">' } };
    assert.equal(await paste(panel, html), true);
    await attachments(panel).locator('img').waitFor();
    assert.equal(await attachments(panel).count(), 1);
  });
});

test('pictures that were copied in a file manager are attached, though their names are text beside them', async () => {
  for (const [words, isTaken] of [
    ['shot.png', true],
    ['/home/me/shot.png', true],
    ['C:\\me\\shot.png', true],
    ['file:///home/me/shot.png', true],
    ['other.png', false],
    ['see shot.png', false],
  ] as const) {
    await withPanel(emptyState(), {}, async (panel) => {
      const given = { files: [png('shot.png')], texts: { 'text/plain': words } };
      assert.equal(await paste(panel, given), isTaken, words);
      if (isTaken) await attachments(panel).getByText('shot.png').waitFor();
    });
  }
  await withPanel(emptyState(), {}, async (panel) => {
    const notes = { name: 'notes.txt', type: 'text/plain', bytes: Buffer.from('x') };
    const given = { files: [notes], texts: { 'text/plain': 'notes.txt' } };
    assert.equal(await paste(panel, given), false, 'of another file the name says more');
  });
});

test('the note to drop goes when the pointer leaves, also where what it was over was drawn anew', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    const note = panel.page.getByText('Drop to attach to the message');
    await dragOver(panel, { files: [png('shot.png')] });
    await note.waitFor();
    await panel.page.evaluate(() => {
      const main = document.querySelector('main');
      const inner = document.querySelector('.empty');
      if (!main || !inner) throw new Error('nothing to be over');
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['x'], 'a.png'));
      const tell = (type: string, target: Element, relatedTarget: Element | null) =>
        target.dispatchEvent(new DragEvent(type, { bubbles: true, dataTransfer, relatedTarget }));
      tell('dragenter', inner, main);
      tell('dragleave', main, inner);
      inner.remove();
    });
    assert.equal(await note.count(), 1, 'it is still over the panel');
    await panel.page.evaluate(() => {
      document.querySelector('main')?.dispatchEvent(new DragEvent('dragleave', { bubbles: true }));
    });
    await note.waitFor({ state: 'detached' });
  });
});

test('files dropped from the explorer are named to the host, those of the system attached', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    const uris = ['file:///w/src/a.ts', 'file:///w/docs'];
    const named = { texts: { 'text/uri-list': uris.join('\r\n'), 'text/plain': '/w/src/a.ts' } };
    await dragOver(panel, named);
    await panel.page.getByText('Drop to attach to the message').waitFor();
    assert.equal(await drop(panel, named), true);
    await panel.page.getByText('Drop to attach to the message').waitFor({ state: 'detached' });
    await eventually(() => panel.sent('dropFiles').length === 1);
    assert.deepEqual(panel.sent('dropFiles')[0]?.uris, uris);
    await message(panel).fill('see  now');
    await message(panel).press('Home');
    for (let step = 0; step < 4; step += 1) await message(panel).press('ArrowRight');
    await panel.send({ type: 'insertText', text: '@src/a.ts @docs/ ', inline: true });
    await eventually(
      async () => (await message(panel).inputValue()) === 'see @src/a.ts @docs/ now',
    );
    assert.equal(await drop(panel, { files: [png('shot.png')] }), true);
    await attachments(panel).getByText('shot.png').waitFor();
    assert.equal(await drop(panel, { texts: { 'text/plain': 'words' } }), false);
  });
});

test('a link that is dropped stands in the message, one of an answer as it was written', async () => {
  const words = 'See src/a.ts:12, [b](src/b.ts:3) or [w](https://w.example/a).';
  await withPanel(streamingState(words), {}, async (panel) => {
    const { page } = panel;
    for (const [name, address] of [
      ['src/a.ts:12', 'src/a.ts:12'],
      ['b', 'src/b.ts:3'],
      ['w', 'https://w.example/a'],
    ] as const) {
      await message(panel).fill('see');
      await page.getByRole('link', { name, exact: true }).dragTo(message(panel));
      await eventually(async () => (await message(panel).inputValue()) === `see ${address} `);
    }
    const link = {
      texts: { 'text/uri-list': 'https://x.example', 'text/plain': 'https://x.example' },
    };
    await message(panel).fill('');
    assert.equal(await drop(panel, link), true);
    await eventually(async () => (await message(panel).inputValue()) === 'https://x.example ');
    assert.deepEqual(panel.sent('dropFiles'), []);
  });
});

test('files that the host was given are attached, and one that it refuses goes with its reason', async () => {
  await withPanel(emptyState(), {}, async (panel) => {
    await panel.page.getByRole('button', { name: 'Attach files…', exact: true }).click();
    await eventually(() => panel.sent('chooseFiles').length === 1);
    const data = blue.toString('base64');
    await panel.send({ type: 'attachFiles', files: [{ name: 'chosen.png', data }] });
    await attachments(panel).getByText('chosen.png').waitFor();
    await eventually(() => panel.sent('attach').length === 1);
    const id = panel.sent('attach')[0]?.id ?? '';
    await panel.send({ type: 'attachRefused', id, reason: 'chosen.png has 9 MB' });
    await problem(panel).getByText('chosen.png has 9 MB').waitFor();
    assert.equal(await attachments(panel).count(), 0);
  });
});

test('pictures of a draft and of what was said are asked for, drawn, and open in an editor', async () => {
  await withPanel(saidState([ref('i1', 'cart.png')]), {}, async (panel) => {
    await drawn(panel, 1);
    const open = panel.page.getByRole('button', { name: 'Open cart.png', exact: true });
    await open.click();
    await eventually(() => panel.sent('openPicture').length === 1);
    await panel.page.getByRole('img', { name: 'Pictures: 1' }).waitFor();
    await panel.send({ type: 'insertText', text: 'and here?', images: [ref('i1', 'cart.png')] });
    await attachments(panel).locator('img').waitFor();
    assert.equal(panel.sent('loadPicture').length, 1, 'what is known is not asked for again');
    assert.deepEqual(panel.requests, []);
  });
});

test('a picture that is gone leaves its name', async () => {
  await withPanel(saidState([ref('i1', 'cart.png')]), {}, async (panel) => {
    await eventually(() => panel.sent('loadPicture').length === 1);
    await panel.send({ type: 'picture', id: 'i1' });
    await panel.page.locator('.picture .codicon-file-media').waitFor();
    await panel.page.getByRole('button', { name: 'Open cart.png', exact: true }).waitFor();
  });
});

test('at 300 px and in every theme pictures fit, with targets of 24 px and nothing for axe', async () => {
  for (const theme of ['dark', 'light', 'hc', 'hcLight'] as const) {
    const images = ['one.png', 'a name that is much too long for the panel.png'].map((name, i) =>
      ref(`i${i}`, name),
    );
    await withPanel(saidState(images), { theme, width: 300 }, async (panel) => {
      await paste(panel, { files: images.map(({ name }) => png(name)) });
      await attachments(panel).nth(1).locator('img').waitFor();
      await drawn(panel, 2);
      assert.equal(await overflows(panel), false);
      const small = await panel.page.locator('button').evaluateAll((all) =>
        all
          .map((button) => ({ name: button.ariaLabel, box: button.getBoundingClientRect() }))
          .filter(({ box }) => box.width < 24 || box.height < 24)
          .map(({ name }) => name),
      );
      assert.deepEqual(small, []);
      const findings = await axeFindings(panel.page);
      assert.deepEqual(
        findings.filter((finding) => !finding.includes('aria-allowed-attr')),
        [],
      );
      if (process.env.SHOTS) {
        await panel.page.screenshot({ path: `${process.env.SHOTS}/pictures-${theme}.png` });
      }
    });
  }
});
