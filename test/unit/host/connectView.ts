import { silentLogger } from '../../../src/base/logger';
import type { ConversationsAnswer } from '../../../src/chat/conversationsProtocol';
import type { SuggestPart } from '../../../src/conversation/conversationPorts';
import type { ForkOutcome } from '../../../src/host/conversationForks';
import type { HubPorts } from '../../../src/host/conversationHub';
import type { ConversationPlace } from '../../../src/host/conversationPlace';
import { ImageStore } from '../../../src/host/imageStore';
import { WINDOW_PLACE } from '../../../src/host/placeIds';
import { type ConnectionPorts, ViewConnection } from '../../../src/host/viewConnection';
import { FakeSurface, hubOf } from './hostFakes';

interface ConnectOptions {
  readonly trusted?: boolean;
  readonly visible?: boolean;
  readonly editorRows?: SuggestPart['rows'];
  readonly pages?: Promise<boolean>[];
  readonly forked?: ForkOutcome;
  readonly images?: ImageStore;
  readonly hostFields?: HubPorts['hostFields'];
}

interface Recorded extends Pick<ConnectionPorts, 'clock' | 'focused'> {
  /** What is asked of the editor, a line each. */
  readonly done: string[];
}

/** An editor that writes down what it is asked for. */
export function recordedPorts(
  { done, clock, focused }: Recorded,
  options: ConnectOptions = {},
): ConnectionPorts {
  const later = (what: string): Promise<void> => {
    done.push(what);
    return Promise.resolve();
  };
  const listed = (what: string): Promise<ConversationsAnswer> => {
    done.push(what);
    return Promise.resolve({ kind: 'list', rows: [] });
  };
  return {
    log: {
      ...silentLogger,
      warn: (message) => done.push(`warn ${message}`),
      error: (message) => done.push(message),
    },
    clock,
    isTrusted: () => options.trusted ?? true,
    suggest: () => [
      { name: 'editor', rows: () => Promise.resolve({ rows: options.editorRows ?? [] }) },
    ],
    focused,
    newConversation: () => later('newConversation'),
    history: {
      list: () => listed('list'),
      open: (_place, sessionId) => later(`open ${sessionId}`),
      openInTab: (_place, sessionId) => later(`open in a tab ${sessionId}`),
      rename: (_place, sessionId, title) => listed(`rename ${sessionId} ${title}`),
      delete: (_place, { sessionId }) => listed(`delete ${sessionId}`),
      undelete: (_place, sessionId) => listed(`undelete ${sessionId}`),
    },
    forks: {
      forkHere: (_place, itemId) => later(`fork ${itemId}`),
      resend: (_place, { itemId, text }) => {
        done.push(`resend ${itemId} ${text}`);
        return Promise.resolve(options.forked ?? { accepted: true });
      },
      retryAnswer: (_place, promptId) => later(`again ${promptId}`),
    },
    reviewChanges: (_conversation, ids) => later(`review ${ids.join(' ')}`),
    chooseFolder: (_place, path) => later(`work in ${path}`),
    openLink: (href) => later(`link ${href}`),
    plans: {
      act: (_place, cardId, action) => {
        done.push(`plan ${action} ${cardId}`);
        return Promise.resolve();
      },
      removeComment: (_place, cardId, commentId) => done.push(`uncomment ${commentId} ${cardId}`),
      saveDecided: (_place, toolUseId) => {
        done.push(`save plan ${toolUseId}`);
        return Promise.resolve();
      },
    },
    attach: {
      images: new ImageStore({ folders: [process.execPath], log: silentLogger, now: () => 0 }),
      choose: () => Promise.resolve({ pictures: [], mentions: ['@src/a.ts', '@docs/'] }),
      find: () => Promise.resolve({ pictures: [], mentions: [] }),
      pasted: () => Promise.resolve(undefined),
      openPicture: (file) => later(`picture ${file}`),
    },
    selections: {
      take: (id) => (id === 's1' ? { path: 'a.ts', from: 1, to: 2, text: 'x' } : undefined),
      turn: (isOn) => later(`selections ${isOn}`),
    },
    openPage: (url) => {
      done.push(`page ${url}`);
      return options.pages?.shift() ?? Promise.resolve(true);
    },
    copy: (text) => later(`copy ${text}`),
    insertCode: (text) => later(`insert ${text}`),
    openCode: (text, language) => later(`new ${language} ${text}`),
    showDiff: (_place, cardId) => later(`diff ${cardId}`),
    showRequest: (_place, cardId) => later(`whole ${cardId}`),
    showOutput: (taskId, text) => later(`${taskId} ${text}`),
    countSymbols: () => Promise.resolve(new Map([['known', 2]])),
    openSymbol: (name) => later(`symbol ${name}`),
    showResult: (_place, toolUseId) => later(`result ${toolUseId}`),
    showLog: () => done.push('log'),
    openSettings: () => later('settings'),
    setUp: {
      login: () => later('login'),
      check: () => later('check the set-up'),
      chooseCli: () => later('choose the CLI'),
    },
    openFolder: () => later('folder'),
    doctor: () => later('doctor'),
    moreActions: () => later('more'),
    runCommand: (name) => later(`run ${name}`),
    answerApproval: (id, answer) => done.push(`approval ${id} ${answer}`),
    showApproval: (id) => later(`approval ${id}`),
    report: (error) => done.push(`report ${String(error)}`),
  };
}

/** A view with its connection; what it asked of the editor is written down in `done`. */
export function connect(options: ConnectOptions = {}) {
  const { hostFields } = options;
  const { hub, clock, made } = hubOf(hostFields ? { hostFields } : {});
  const place = hub.active;
  const surface = new FakeSurface(WINDOW_PLACE, options.visible ?? true);
  const done: string[] = [];
  const focused = (one: ConversationPlace): void => {
    hub.setActive(one);
  };
  const ports = recordedPorts({ done, clock, focused }, options);
  const connection = new ViewConnection(surface, place, ports);
  return { surface, place, clock, done, connection, conversation: made[0]! };
}
