import * as l10n from '@vscode/l10n';
import { commands as vscodeCommands, env, Uri, workspace } from 'vscode';
import { UserFacingError } from '../base/errors';
import type { Logger } from '../base/logger';
import type { EditorContext } from '../editor/editorContext';
import type { SymbolLinks } from '../editor/symbolLinks';
import type { ApprovalCards } from './approvalCards';
import { chooseFiles, filesDropped } from './attachedFiles';
import { commands } from './commands';
import type { ForkActions } from './conversationForks';
import type { ConversationHistory } from './conversationHistory';
import type { ConversationHub } from './conversationHub';
import type { ConversationPlace } from './conversationPlace';
import type { ImageStore } from './imageStore';
import type { MentionSources } from './mentionSources';
import { insertAtCursor, openAsNewFile } from './codeActions';
import { openLink } from './openLink';
import { openSymbol } from './openSymbol';
import { openWorkspaceFile } from './openWorkspaceFile';
import type { PlanActions } from './planDocuments';
import type { ProposedDiffs } from './proposedDiff';
import { pumpClock } from './pumpClock';
import type { SelectionPort } from './hostMessages';
import { reportError } from './reportError';
import { reviewChanges } from './reviewChanges';
import type { SelectionOffers } from './selectionOffers';
import type { SetUpActions } from './setUpDesk';
import { settings } from './settings';
import { showFileChanges } from './showFileChanges';
import type { AttachPorts } from './viewAttachments';
import type { ConnectionPorts } from './viewConnection';
import type { ResultPorts } from './viewResults';
import { workspaceRoots } from './workingFolder';
import { writeSwitch } from './writeSwitch';

export interface ConnectionDeps {
  readonly log: Logger;
  readonly showLog: () => void;
  readonly hub: ConversationHub;
  readonly diffs: ProposedDiffs;
  readonly editor: EditorContext;
  readonly plans: PlanActions;
  readonly mentions: MentionSources;
  readonly images: ImageStore;
  /** Undefined where the conversations could not be loaded. */
  readonly selections: SelectionOffers | undefined;
  /** Undefined where the conversations could not be loaded. */
  readonly approvals: ApprovalCards | undefined;
  newConversation(place: ConversationPlace, text?: string): Promise<void>;
  readonly history: ConversationHistory;
  readonly forks: ForkActions;
  /** Undefined where the conversations could not be loaded. */
  readonly symbols: SymbolLinks | undefined;
  readonly setUp: SetUpActions;
  chooseFolder(place: ConversationPlace, path: string | undefined): Promise<void>;
}

/** What the views may ask of VS Code. */
export function connectionPorts(deps: ConnectionDeps): ConnectionPorts {
  return {
    ...{ log: deps.log, plans: deps.plans, clock: pumpClock },
    isTrusted: () => workspace.isTrusted,
    suggest: (query, place) =>
      query.kind === 'mention'
        ? deps.mentions.sources(query.text, place.folder?.path, place.sessionId)
        : [],
    focused: (place) => {
      deps.hub.setActive(place);
    },
    newConversation: (place, text) => deps.newConversation(place, text),
    history: deps.history,
    forks: deps.forks,
    openLink: (href, place) => openLink(href, place.folder?.path, workspaceRoots()),
    attach: attachPorts(deps),
    selections: selectionPort(deps),
    openPage: async (url) => env.openExternal(Uri.parse(url, true)),
    copy: async (text) => env.clipboard.writeText(text),
    insertCode: (text) => insertAtCursor(deps.editor.activeEditor(), text),
    openCode: openAsNewFile,
    showDiff: (place, cardId) => deps.diffs.show(place.conversation, cardId),
    showRequest: (place, cardId) => deps.diffs.showRequest(place.conversation, cardId),
    ...resultPorts(deps),
    showLog: deps.showLog,
    openSettings: async () => {
      await vscodeCommands.executeCommand(
        'workbench.action.openSettings',
        '@ext:patchbay.patchbay',
      );
    },
    setUp: deps.setUp,
    chooseFolder: (place, path) => deps.chooseFolder(place, path),
    openFolder: async () => {
      await vscodeCommands.executeCommand('workbench.action.files.openFolder');
    },
    doctor: async () => {
      await vscodeCommands.executeCommand(commands.doctor.id);
    },
    moreActions: async () => {
      await vscodeCommands.executeCommand('workbench.action.quickOpen', '>Patchbay: ');
    },
    runCommand: async (name, place) => {
      deps.hub.setActive(place);
      await vscodeCommands.executeCommand(commands[name].id);
    },
    answerApproval: (id, answer) => {
      deps.approvals?.answer(id, answer);
    },
    showApproval: async (id, file) => {
      const asked = deps.approvals?.find(id);
      if (asked?.kind === 'server') await openWorkspaceFile(asked.question.folder);
      else if (asked?.kind === 'toolFiles') await showFileChanges(deps.diffs, asked.question, file);
    },
    report: (error) => {
      void reportError(error, deps.log, deps.showLog);
    },
  };
}

function attachPorts({ images, mentions }: ConnectionDeps): AttachPorts {
  return {
    images,
    choose: (place) => chooseFiles(place.folder?.path),
    find: (uris, place) => filesDropped(uris, place.folder?.path),
    pasted: (text, place) => mentions.copied.mentionOf(text, place.folder?.path),
    openPicture: async (file) => {
      await vscodeCommands.executeCommand('vscode.open', Uri.file(file));
    },
  };
}

function selectionPort({ selections }: ConnectionDeps): SelectionPort {
  return {
    take: (id, place) => selections?.take(id, place.folder?.path),
    turn: (isOn) => writeSwitch(settings.attachSelection, isOn),
  };
}

/** Names that are looked at together are looked up for so long, in milliseconds. */
const SYMBOLS_WITHIN_MS = 20_000;

/** Texts of results are shown as documents that can only be read. */
function resultPorts({ diffs, history, symbols }: ConnectionDeps): ResultPorts {
  return {
    countSymbols: async (names) =>
      (await symbols?.count(names, AbortSignal.timeout(SYMBOLS_WITHIN_MS))) ??
      new Map<string, number>(),
    openSymbol: (name) => openSymbol(symbols, name),
    reviewChanges: (conversation, ids) => reviewChanges(diffs, conversation, ids),
    showOutput: (taskId, text) => diffs.showText(l10n.t('Output'), taskId, text),
    showResult: async (place, toolUseId) => {
      const text = await history.result(place, toolUseId);
      if (text === undefined) {
        throw new UserFacingError(l10n.t('The whole result is not on the disk.'));
      }
      await diffs.showText(l10n.t('Result'), toolUseId, text);
    },
  };
}
