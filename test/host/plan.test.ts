import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { PlanCard, QuestionCard } from '../../src/chat/askProtocol';
import type { ToolBlock } from '../../src/chat/viewStateProtocol';
import type { App } from '../../src/host/app';
import { commands } from '../../src/host/commands';
import type { ConversationPlace } from '../../src/host/conversationPlace';
import { PLAN_SCHEME } from '../../src/host/planFiles';
import { freeName, writePlan } from '../../src/host/savePlan';
import { openPanel, patchbay, until } from './patchbay';

const isPlan = ({ uri }: vscode.TextDocument): boolean => uri.scheme === PLAN_SCHEME;

describe('plans and questions', () => {
  let app: App;
  let place: ConversationPlace;
  /** Makes threads as VS Code makes them where somebody presses + beside a line. */
  let controller: vscode.CommentController;

  before(async () => {
    app = await patchbay();
    place = await openPanel(app);
    controller = vscode.comments.createCommentController('plan-test', 'Plan test');
  });

  beforeEach(() => {
    place.startNew();
  });

  after(async () => {
    controller.dispose();
    place.startNew();
    // One with unsaved changes would be asked about.
    await until('the plans are let go', () =>
      vscode.workspace.textDocuments.every((each) => !isPlan(each) || !each.isDirty),
    );
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const card = (): PlanCard | undefined =>
    place.turn.asks.find((each): each is PlanCard => each.kind === 'plan');
  const row = (): ToolBlock | undefined =>
    place.conversation
      .snapshot()
      .items.flatMap((item) => (item.kind === 'assistant' ? item.blocks : []))
      .findLast((block) => block.kind === 'tool' && block.name === 'ExitPlanMode') as
      ToolBlock | undefined;

  /** What the model got for its plan, at the end of the turn: before it the row has the bare words. */
  async function readByModel(): Promise<string> {
    await until('the end of the turn', () => place.turn.kind === 'idle' && card() === undefined);
    return row()?.result?.text ?? '';
  }

  /** Has the model plan, and opens what it proposes. */
  async function openPlan(): Promise<vscode.TextDocument> {
    await place.submit(randomUUID(), 'plan the dates of the report');
    const { id } = await until('the plan', card);
    await app.plans.act(place, id, 'open');
    const editor = await until('the document', () => {
      const active = vscode.window.activeTextEditor;
      return active && isPlan(active.document) && active;
    });
    return editor.document;
  }

  async function insert(document: vscode.TextDocument, line: number, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(line, 0), text);
    assert.ok(await vscode.workspace.applyEdit(edit));
  }

  /** Comments on lines, from 0, by the command that VS Code's reply box runs. */
  async function comment(document: vscode.TextDocument, line: number, text: string) {
    const range = new vscode.Range(line, 0, line, 0);
    const thread = controller.createCommentThread(document.uri, range, []);
    await vscode.commands.executeCommand(commands.addPlanComment.id, { thread, text });
    return until('the comment is in the card', () =>
      card()?.comments.find((each) => each.text === text),
    );
  }

  const threadsOf = (document: vscode.TextDocument) => app.plans.threads.threads(document.uri);

  it('a plan opens as a document; what is typed and commented there is what the agent gets', async () => {
    const document = await openPlan();
    assert.equal(document.languageId, 'markdown');
    assert.match(document.uri.path, /plan-dates-in-the-report\.md$/);
    const steps = await comment(document, 3, 'Also in the till?');
    assert.deepEqual([steps.from, steps.quote], [4, '2. Use it in `dailyReport`']);
    await comment(document, 0, 'Call it days');
    await insert(document, 2, 'First of all:\n\n');
    await until('the card has the edit', () => card()?.edited?.includes('First of all') === true);
    // The thread follows its line, which VS Code by itself would not let it do.
    assert.deepEqual(
      threadsOf(document).map(({ range }) => range?.start.line),
      [5, 0],
    );
    assert.deepEqual(
      card()?.comments.map(({ from }) => from),
      [6, 1],
    );
    const [, title] = threadsOf(document);
    const [note] = title?.comments ?? [];
    assert.ok(note);
    await vscode.commands.executeCommand(commands.editPlanComment.id, note);
    assert.equal(title?.comments[0]?.mode, vscode.CommentMode.Editing);
    note.body = 'Call it dates';
    await vscode.commands.executeCommand(commands.savePlanComment.id, note);
    await until('the new words', () => card()?.comments[1]?.text === 'Call it dates');
    place.conversation.asks.answer(card()?.id ?? '', {
      action: 'keepPlanning',
      words: 'good so far',
    });
    const read = await readByModel();
    assert.match(read, /good so far[^]*1\. Line 1:\n> # Dates in the report\nCall it dates/);
    assert.match(read, /2\. Line 6:\n> 2\. Use it in `dailyReport`\nAlso in the till\?/);
    assert.match(read, /edited by the user[^]*First of all:/);
    await until('the threads are gone', () => threadsOf(document).length === 0);
  });

  it('a comment is deleted in the document or in the card, and one whose text is deleted stays', async () => {
    const document = await openPlan();
    const first = await comment(document, 2, 'one');
    await comment(document, 3, 'two');
    await comment(document, 4, 'three');
    const edit = new vscode.WorkspaceEdit();
    edit.delete(document.uri, new vscode.Range(4, 0, 5, 0));
    assert.ok(await vscode.workspace.applyEdit(edit));
    await until('it says that its text is gone', () => card()?.comments[2]?.isGone === true);
    assert.match(threadsOf(document)[2]?.label ?? '', /deleted/);
    await vscode.commands.executeCommand('undo');
    await until('its text is back', () => card()?.comments[2]?.isGone !== true);
    const [note] = threadsOf(document)[1]?.comments ?? [];
    await vscode.commands.executeCommand(commands.deletePlanComment.id, note);
    await until('two are left', () => card()?.comments.length === 2);
    app.plans.removeComment(place, card()?.id ?? '', first.id);
    await until('one thread is left', () => threadsOf(document).length === 1);
    assert.equal(threadsOf(document)[0]?.comments[0]?.body, 'three');
  });

  it('unsaved changes of a closed document stay in the card, come back with it, and can be taken back', async () => {
    const document = await openPlan();
    const { id = '' } = card() ?? {};
    await insert(document, 0, 'Mine\n');
    await until('the edit', () => card()?.edited?.startsWith('Mine') === true);
    assert.ok(document.isDirty);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await until('its tab is closed', () => vscode.window.activeTextEditor?.document !== document);
    assert.ok(card()?.edited?.startsWith('Mine'));
    await app.plans.act(place, id, 'open');
    const again = await until('it is open again', () => vscode.window.activeTextEditor?.document);
    assert.equal(again.lineAt(0).text, 'Mine');
    await app.plans.act(place, id, 'discardEdits');
    await until('the edits are gone', () => card()?.edited === undefined);
    assert.equal(again.lineAt(0).text, '# Dates in the report');
  });

  it('an approved plan is what the document said, and the document is read only from then on', async () => {
    const document = await openPlan();
    await insert(document, 5, '4. Look at the till\n');
    await until('the edit', () => card()?.edited !== undefined);
    place.conversation.asks.answer(card()?.id ?? '', { action: 'approve', acceptEdits: true });
    const read = await readByModel();
    assert.match(read, /edited by user[^]*4\. Look at the till/);
    assert.equal(row()?.figure, 'approved with your edits');
    await until('the document is saved', () => !document.isDirty);
    const stat = () => vscode.workspace.fs.stat(document.uri);
    let permissions: vscode.FilePermission | undefined;
    await until('it is read only', () => {
      void stat().then((found) => (permissions = found.permissions));
      return permissions === vscode.FilePermission.Readonly;
    });
    await assert.rejects(
      Promise.resolve(vscode.workspace.fs.writeFile(document.uri, new Uint8Array())),
    );
    assert.match(document.getText(), /4\. Look at the till/);
  });

  it('a card that does not wait, or is none of a plan, opens, changes and saves nothing', async () => {
    await place.submit(randomUUID(), 'ask me something');
    const asked = await until('the questions', () => place.turn.asks[0]);
    const before = JSON.stringify(place.conversation.snapshot().asks);
    // The editor keeps a document for a while after its tab was closed.
    const known = new Set(vscode.workspace.textDocuments.filter(isPlan));
    for (const id of [asked.id, 'nobody', '__proto__', 'constructor', '']) {
      for (const action of ['open', 'save', 'discardEdits'] as const) {
        await assert.rejects(app.plans.act(place, id, action), /does not wait any more/);
      }
      app.plans.removeComment(place, id, '__proto__');
      await assert.rejects(app.plans.saveDecided(place, id), /cannot be saved/);
    }
    assert.equal(JSON.stringify(place.conversation.snapshot().asks), before);
    const opened = vscode.workspace.textDocuments.filter(
      (each) => isPlan(each) && !known.has(each),
    );
    assert.deepEqual(opened, []);
  });

  it('a plan is saved under a name that is free, and shown', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const first = await freeName(folder, 'plan-x.md');
    assert.equal(first.fsPath, path.join(folder, 'plan-x.md'));
    try {
      await writePlan(first, '# X\n');
      assert.equal(vscode.window.activeTextEditor?.document.getText(), '# X\n');
      const next = await freeName(folder, 'plan-x.md');
      assert.equal(path.basename(next.fsPath), 'plan-x-2.md');
      const nowhere = vscode.Uri.from({ scheme: 'patchbay-nothing', path: '/x.md' });
      await assert.rejects(
        writePlan(nowhere, 'x'),
        /could not be saved.*stays in the conversation/,
      );
    } finally {
      await rm(first.fsPath, { force: true });
    }
  });

  it('the questions of the model are answered from the panel', async () => {
    await place.submit(randomUUID(), 'ask me something');
    const asked = await until('the questions', () =>
      place.turn.asks.find((each): each is QuestionCard => each.kind === 'questions'),
    );
    assert.equal(asked.questions.length, 2);
    place.conversation.asks.answer(asked.id, {
      action: 'accept',
      draft: { '0': ['1'], '1': ['0'], '1/usesOwn': true, '1/own': 'Parquet' },
    });
    await until('the answer', () =>
      JSON.stringify(place.conversation.snapshot().items).includes('CSV, Parquet'),
    );
  });
});
