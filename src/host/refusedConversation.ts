import { Emitter } from '../base/event';
import { tryParsePanelCommand } from '../chat/panelCommands';
import type { ViewState } from '../chat/viewStateProtocol';
import { WireSeat } from '../cli/wireSeat';
import type { Conversation } from '../conversation/conversationPorts';

/** Why no conversation can be had here. All texts are localized. */
export interface Refusal {
  readonly message: string;
  readonly kept?: string;
  readonly next?: string;
  readonly details?: string;
}

/**
 * Stands where a conversation would, and says why there is none: the panel is drawn as always, with
 * the reason in it, and what the person types stays theirs.
 */
export function createRefusedConversation(refusal: Refusal): Conversation {
  let fields: Partial<ViewState> = {};
  const changed = new Emitter<void>();
  const nothing = (): void => undefined;
  const nothingLater = (): Promise<undefined> => Promise.resolve(undefined);
  return {
    id: 'refused',
    onDidChange: changed.event,
    wire: new WireSeat(),
    snapshot: () => ({ ...refusedState(refusal), ...fields, suggestions: [] }),
    takePatches: () => [],
    prewarm: nothing,
    releaseSpare: nothing,
    recheckQuestions: nothing,
    submit: () => ({ accepted: false, reason: refusal.message }),
    suggest: () => [],
    panelCommand: (text) => tryParsePanelCommand(text, () => false),
    cancelSubmit: nothing,
    stop: nothingLater,
    answerPermission: nothing,
    draftReason: nothing,
    asks: { answer: nothing, draft: nothing, reviewPlan: nothing, url: () => undefined },
    side: { dismiss: nothing },
    setModel: nothingLater,
    setMode: nothingLater,
    retry: nothing,
    setUpDone: nothing,
    toolAction: nothingLater,
    queueAction: () => undefined,
    picture: nothingLater,
    selection: () => undefined,
    setFields: (next) => {
      fields = { ...fields, ...next };
    },
    changes: {
      ...{ keep: nothingLater, undo: nothingLater, redo: nothingLater },
      ...{ forgetUndone: nothingLater, change: nothingLater },
    },
    tasks: { stop: nothingLater, output: () => Promise.resolve('') },
    image: () => undefined,
    requests: { edit: nothingLater, whole: () => undefined },
    rules: () => Promise.resolve(undefined),
    rename: () => Promise.resolve(false),
    serverStatus: () => Promise.resolve([]),
    syncServers: nothingLater,
    reconnectServer: nothingLater,
    dispose: () => {
      changed.dispose();
      return Promise.resolve();
    },
  };
}

function refusedState(refusal: Refusal): ViewState {
  return {
    title: '',
    status: { kind: 'notConnected' },
    permissions: [],
    asks: [],
    queue: [],
    folder: undefined,
    model: '',
    models: [],
    mode: '',
    modes: [],
    usage: undefined,
    notice: undefined,
    suggestions: [],
    toolCount: 0,
    sendKey: 'enter',
    items: [{ kind: 'error', id: 'refusal', actions: ['showLog'], ...refusal }],
  };
}
