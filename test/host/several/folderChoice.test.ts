import assert from 'node:assert/strict';
import type { App } from '../../../src/host/app';
import type { ConversationPlace } from '../../../src/host/conversationPlace';
import { closeAll } from '../editorRoom';
import { closePanel, openPanel, patchbay, until } from '../patchbay';
import { folderRoot as root } from './folderRoot';

describe('where a new conversation works', () => {
  let app: App;
  let place: ConversationPlace;

  before(async () => {
    await closeAll();
    app = await patchbay();
    place = await openPanel(app);
    place.startNew();
  });

  after(async () => {
    await app.chooseFolder(place, undefined);
    place.startNew();
    await closePanel();
    await closeAll();
  });

  const view = () => place.conversation.snapshot();

  it('is a choice that the conversation follows, and that is remembered', async () => {
    assert.deepEqual(
      view().folders?.folders.map(({ path }) => path),
      [root(0), root(1)],
    );
    assert.equal(view().folder?.path, root(0));
    place.draft = 'precious words';
    await app.chooseFolder(place, root(1));
    assert.deepEqual([view().folder?.path, view().folders?.chosen], [root(1), root(1)]);
    assert.equal(place.draft, 'precious words');
    place.startNew();
    assert.equal(view().folder?.path, root(1), 'the next one begins there as well');
    await app.chooseFolder(place, undefined);
    assert.equal(view().folder?.path, root(0));
  });

  it('is where the CLI runs, and stays once something was said', async () => {
    await app.chooseFolder(place, root(1));
    let cwd: unknown;
    const seat = place.conversation.wire.listen({
      received: (line) => {
        const message = JSON.parse(line) as Record<string, unknown>;
        if (message.type === 'system' && message.subtype === 'init') ({ cwd } = message);
      },
      sent: () => undefined,
      lost: () => undefined,
      ended: () => undefined,
    });
    place.submit('folder-1', 'hello');
    await until('the CLI tells its folder', () => cwd !== undefined);
    assert.equal(cwd, root(1));
    await app.chooseFolder(place, root(0));
    assert.equal(view().folder?.path, root(1));
    await until('the turn is over', () => view().status.kind === 'idle');
    seat.dispose();
  });
});
