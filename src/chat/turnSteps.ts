import * as l10n from '@vscode/l10n';
import { conversationTitle } from './conversationTitle';
import type { ModelContext } from './modelContext';
import { finishUnconfirmed } from './reduceStream';
import type { ImageRef } from './imageProtocol';
import type { SetUp } from './setUpProtocol';
import type { ErrorItem, ExpansionPart, UserItem } from './viewStateProtocol';

interface Submitted {
  readonly id: string;
  readonly text: string;
  readonly expansion?: readonly ExpansionPart[] | undefined;
  readonly wireId?: string | undefined;
  readonly images?: readonly ImageRef[] | undefined;
  readonly waits?: boolean | undefined;
}

/** The person said something: what follows is a new item. An id that is there already is not drawn again. */
export function submitPrompt(context: ModelContext, submitted: Submitted): void {
  const { id, text, expansion, wireId, images = [], waits } = submitted;
  const { store, items, usage } = context;
  const isExpanded = expansion !== undefined && expansion.length > 0;
  const item: UserItem = {
    ...{ kind: 'user', id, text },
    ...(isExpanded ? { expansion } : {}),
    ...(wireId === undefined ? {} : { wireId }),
    ...(images.length > 0 ? { images } : {}),
    ...(waits === true ? { waits } : {}),
  };
  if (store.hasItem(id)) {
    if (isExpanded || wireId !== undefined) store.replaceItem(item);
    return;
  }
  items.breakHere();
  store.addItem(item);
  if (!usage.titleIsNamed && store.state.title === '') {
    store.setFields({ title: conversationTitle(text) });
  }
}

/** The CLI has read a prompt that waited in its turn: from now on it is said. */
export function takePrompt({ store }: ModelContext, id: string): void {
  const item = store.state.items.findLast((one) => one.id === id);
  if (item?.kind !== 'user' || item.waits !== true) return;
  store.replaceItem(read(item));
}

function read({ waits: _waits, ...item }: UserItem): UserItem {
  return item;
}

/** The turn is over, however it ended. */
export function endTurn(context: ModelContext, phase: 'idle' | 'failed' | 'notConnected'): void {
  finishUnconfirmed(context);
  context.tracks.clear();
  context.tools.endTurn();
  context.items.endTurn();
  Object.assign(context.turn, { apiFailure: undefined, refused: false, replaysOldRows: false });
  context.status.endTurn(phase);
}

/** Cards and queue stay: `/clear` empties the transcript, what waits still waits. */
export function clear(context: ModelContext): void {
  const { store, usage } = context;
  store.clear();
  context.tracks.clear();
  context.tools.clear();
  context.items.endTurn();
  Object.assign(usage, {
    endedCostUsd: 0,
    processCostUsd: 0,
    baselineUsd: 0,
    contextTokens: undefined,
    contextModel: undefined,
    titleIsNamed: false,
  });
  store.setFields({ title: '', usage: undefined });
}

/**
 * The alerts that asked for it go. Where the last one stood, a quiet line offers to send what it
 * kept; an older one is past, its prompt was followed by others.
 */
export function settleSetUp({ store, status }: ModelContext, what: SetUp['lacks']): void {
  const asked = store.state.items.filter((item) => item.kind === 'error' && asksFor(item, what));
  const last = asked.at(-1);
  for (const item of asked) if (item !== last) store.removeItem(item.id);
  if (last?.kind !== 'error') return;
  const actions = last.actions.filter((action) => action === 'retry');
  const { plain, retry } = SETTLED[what];
  store.replaceItem({
    kind: 'notice',
    id: last.id,
    tone: 'info',
    text: actions.length > 0 ? retry() : plain(),
    actions,
  });
  if (!status.isActive) status.enter('idle');
}

function asksFor({ actions, lacks }: ErrorItem, what: SetUp['lacks']): boolean {
  return what === 'cli' ? lacks === 'cli' : actions.includes('login');
}

const SETTLED = {
  login: {
    plain: () => l10n.t('You are logged in.'),
    retry: () => l10n.t('You are logged in. Retry sends your message.'),
  },
  cli: {
    plain: () => l10n.t('The CLI is there.'),
    retry: () => l10n.t('The CLI is there. Retry sends your message.'),
  },
} as const;
