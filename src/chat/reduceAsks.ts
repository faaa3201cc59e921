import * as l10n from '@vscode/l10n';
import { oneLine } from './boundedText';
import type { AskCard, AskOutcome } from './askProtocol';
import type { ChatEvent } from './chatEvent';
import type { ModelContext } from './modelContext';
import { planText } from './planCard';
import { planTitle } from './planName';

export type AskEvent = Extract<
  ChatEvent,
  { readonly type: 'askRequested' | 'askDrafted' | 'planReviewed' | 'askSettled' }
>;

/** A form, a page or questions: the card comes, is filled in, and leaves one line behind. */
export function reduceAsk(context: ModelContext, event: AskEvent): void {
  const { store, status } = context;
  const open = store.state.asks;
  switch (event.type) {
    case 'askRequested':
      store.setFields({ asks: [...open.filter(({ id }) => id !== event.card.id), event.card] });
      status.refresh();
      return;
    case 'askDrafted':
      store.setFields({
        asks: open.map((card) =>
          card.id === event.cardId ? { ...card, draft: event.draft } : card,
        ),
      });
      return;
    case 'planReviewed': {
      const { card: reviewed } = event;
      store.setFields({
        asks: open.map((card) =>
          // The draft is put in elsewhere.
          card.id === reviewed.id ? { ...reviewed, draft: card.draft } : card,
        ),
      });
      return;
    }
    case 'askSettled': {
      const card = open.find(({ id }) => id === event.cardId);
      if (card) settle(context, card, event);
      return;
    }
  }
}

function settle(
  context: ModelContext,
  card: AskCard,
  { outcome, reason }: Extract<AskEvent, { type: 'askSettled' }>,
): void {
  const { store, status, tools, items } = context;
  // Before the card goes: what the person has stopped needs no line of its own.
  const line = status.isStopping ? undefined : lineOf(card, outcome);
  store.setFields({ asks: store.state.asks.filter((other) => other !== card) });
  status.refresh();
  if (card.interrupted === true) return;
  if (isOfModel(card) && card.toolUseId !== undefined) {
    if (outcome === 'answered') tools.allowed(card.toolUseId);
    else if (outcome === 'declined') tools.refused(card.toolUseId, reason ?? l10n.t('Dismissed'));
  }
  if (line !== undefined) items.aside(line);
}

/** A call of the CLI's own waits for it, whose row tells what became of it. */
function isOfModel({ kind }: AskCard): boolean {
  return kind === 'questions' || kind === 'plan';
}

/** Undefined where a row of the transcript says it already. */
function lineOf(card: AskCard, outcome: AskOutcome): string | undefined {
  if (outcome === 'lost') return undefined;
  if (outcome === 'withdrawn') {
    return l10n.t('Withdrawn before you answered: {0}', aboutOf(card));
  }
  switch (card.kind) {
    case 'questions':
    case 'plan':
      return undefined;
    case 'link':
      return outcome === 'answered'
        ? l10n.t('Opened for {0}: {1}', card.title, card.host ?? card.url)
        : l10n.t('Not opened for {0}: {1}', card.title, card.host ?? oneLine(card.url));
    case 'form':
      return outcome === 'answered'
        ? l10n.t('You answered: {0}', aboutOf(card))
        : l10n.t('You declined: {0}', aboutOf(card));
  }
}

/** What was asked, one line. */
export function aboutOf(card: AskCard): string {
  const words = wordsOf(card);
  return oneLine(words === '' ? card.title : words, 160);
}

function wordsOf(card: AskCard): string {
  switch (card.kind) {
    case 'questions':
      return card.questions.map(({ question }) => question).join(' ');
    case 'plan':
      return planTitle(planText(card));
    case 'form':
    case 'link':
      return card.message;
  }
}
