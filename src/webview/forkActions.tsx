import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { AssistantItem, TranscriptItem, UserItem } from '../chat/viewStateProtocol';
import { IconButton } from './icon';
import { usePanel } from './panelContext';
import { isRunning } from './words';

/** The buttons of an article that go on from there another way. */
export function ForkActions({ item }: { readonly item: UserItem | AssistantItem }) {
  return item.kind === 'user' ? <PromptActions item={item} /> : <AnswerActions item={item} />;
}

/** What has not gone to the agent yet is no place in the conversation. */
function PromptActions({ item }: { readonly item: UserItem }) {
  const { edits } = usePanel();
  const button = useRef<HTMLButtonElement>(null);
  const isEdited = edits.isOf(item);
  const was = useRef(isEdited);
  useLayoutEffect(() => {
    // The box that had the focus is gone; where Edit of another message was pressed, that one has it.
    if (was.current && !isEdited && edits.editing.value === undefined) button.current?.focus();
    was.current = isEdited;
  }, [edits, isEdited]);
  if (item.wireId === undefined || item.waits === true) return null;
  return (
    <>
      <IconButton
        icon="edit"
        name={l10n.t('Edit')}
        buttonRef={button}
        onClick={() => edits.begin(item)}
      />
      <ForkButton itemId={item.id} />
    </>
  );
}

function AnswerActions({ item }: { readonly item: AssistantItem }) {
  const { store, post } = usePanel();
  store.watch('fields');
  store.watch('items');
  const { items, status } = store.current;
  const isLast = isLastAnswer(items, item.id);
  // Its end is not there yet.
  if (isLast && isRunning(status)) return null;
  return (
    <>
      {isLast && hasPrompt(items) && (
        <IconButton
          icon="refresh"
          name={l10n.t('Retry')}
          once
          onClick={() => post({ type: 'retryAnswer', promptId: crypto.randomUUID() })}
        />
      )}
      <ForkButton itemId={item.id} />
    </>
  );
}

function ForkButton({ itemId }: { readonly itemId: string }) {
  const { post } = usePanel();
  return (
    <IconButton
      icon="repo-forked"
      name={l10n.t('Fork from here')}
      once
      onClick={() => post({ type: 'forkHere', itemId })}
    />
  );
}

function isLastAnswer(items: readonly TranscriptItem[], id: string): boolean {
  return items.findLast(({ kind }) => kind === 'assistant' || kind === 'user')?.id === id;
}

function hasPrompt(items: readonly TranscriptItem[]): boolean {
  const last = items.findLast(({ kind }) => kind === 'user');
  return last?.kind === 'user' && last.wireId !== undefined;
}
