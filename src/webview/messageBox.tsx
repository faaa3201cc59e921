import * as l10n from '@vscode/l10n';
import type { RefObject, TargetedEvent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { placeMention } from './codePaste';
import { composerAction, isImeKey } from './composerKeys';
import { growBox } from './growBox';
import { type Panel, usePanel } from './panelContext';
import type { SuggestKey } from './suggestModel';
import { SEND_KEYS_ID } from './sendButtons';
import { takePasted } from './takeFiles';
import { typeInto } from './typeInto';
import { SUGGEST_HINT_ID, SUGGEST_LIST_ID, suggestRowId } from './suggestList';
import { isRunning } from './words';

const KEYS: Readonly<Record<string, SuggestKey>> = {
  ArrowDown: 'down',
  ArrowUp: 'up',
  Home: 'first',
  End: 'last',
  Enter: 'choose',
  Tab: 'complete',
  Escape: 'close',
};

/** The message, and the list of what could complete it: the caret stays in the box. */
export function MessageBox() {
  const panel = usePanel();
  const { store, composer, attachments, paste, post, suggest } = panel;
  const box = useRef<HTMLTextAreaElement>(null);
  const text = composer.text.value;
  const requests = composer.focusRequests.value;
  const list = suggest.view.value;
  store.watch('fields');
  const { status, folder } = store.current;
  useLayoutEffect(() => {
    if (requests > 0) focusAtEnd(box.current);
  }, [requests]);
  const written = useWriting(box);
  useLayoutEffect(() => growBox(box.current), [text, written.page]);
  useLayoutEffect(() => composer.watchCaret(() => box.current?.selectionEnd), [composer]);
  const typing = useSuggesting(box, written.isWriting);
  useCodePaste(box);
  const onKeyDown = useKeys(box);
  const onPaste = (event: ClipboardEvent) => {
    if (takePasted(event.clipboardData, attachments)) event.preventDefault();
    else {
      const words = event.clipboardData?.getData('text/plain') ?? '';
      paste.pasted(words, box.current?.selectionStart ?? 0);
    }
  };
  return (
    <textarea
      key={written.page}
      ref={box}
      class="message"
      rows={1}
      dir="auto"
      aria-label={l10n.t('Message')}
      aria-autocomplete="list"
      aria-haspopup="listbox"
      aria-controls={list ? SUGGEST_LIST_ID : undefined}
      aria-activedescendant={list && list.active >= 0 ? suggestRowId(list.active) : undefined}
      aria-describedby={`${SUGGEST_HINT_ID} ${SEND_KEYS_ID}`}
      placeholder={placeholder(isRunning(status), folder?.name)}
      onCompositionStart={() => setComposing(panel, true)}
      onCompositionEnd={({ currentTarget }) => {
        // One that was taken away has the words of another conversation.
        if (currentTarget !== box.current) return;
        // Its last word may not have been told yet.
        composer.edit(currentTarget.value);
        setComposing(panel, false);
      }}
      onInput={typing.onInput}
      onSelect={typing.onSelect}
      // Of a caret that is moved, by keys or a press, a box tells nothing else.
      onKeyUp={typing.onSelect}
      onClick={typing.onSelect}
      onFocus={() => post({ type: 'inputFocused' })}
      onBlur={typing.onBlur}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
    />
  );
}

/** An input method has begun to compose in the box, or has ended. */
function setComposing({ composer, paste }: Panel, isOpen: boolean): void {
  composer.composing(isOpen);
  paste.composing(isOpen);
}

/** What a key does that is not the text box's own. */
function useKeys(box: RefObject<HTMLTextAreaElement | null>) {
  const { store, composer, suggest } = usePanel();
  return (event: KeyboardEvent): void => {
    if (isSuggestKey(event) && suggest.key(KEYS[event.key] ?? 'close', event.repeat)) {
      event.preventDefault();
      return;
    }
    const action = composerAction(event, {
      ...{ text: box.current?.value ?? composer.text.value, sendKey: store.current.sendKey },
      isRecalled: composer.isRecalled && isAtAnEnd(box.current),
    });
    if (!action) return;
    event.preventDefault();
    if (action === 'send' || action === 'steer') composer.submit(action === 'steer');
    else if (action !== 'nothing')
      composer.recall(store.current.items, action === 'older' ? 1 : -1);
  };
}

/**
 * Brings what is not typed into the box: a message is taken, recalled or quoted, a row of the list chosen.
 * As if it were typed where that can be; else, and with the words of another conversation, into a new
 * box, since the Undo of the old one would mix up both.
 */
function useWriting(box: RefObject<HTMLTextAreaElement | null>) {
  const panel = usePanel();
  const { composer } = panel;
  const text = composer.text.value;
  const start = composer.starts.value;
  const [page, setPage] = useState(0);
  const isWriting = useRef(false);
  const hadFocus = useRef(false);
  const turnPage = () => {
    hadFocus.current = document.activeElement === box.current;
    // The box goes in which one composes, and does not tell that this has ended.
    setComposing(panel, false);
    setPage(page + 1);
  };
  useLayoutEffect(() => {
    if (!box.current) return;
    box.current.value = composer.text.value;
    if (hadFocus.current) focusAtEnd(box.current);
  }, [page, box, composer]);
  useLayoutEffect(() => {
    const { current } = box;
    if (!current || current.value === text) return;
    isWriting.current = true;
    const isDone = typeInto(current, text);
    isWriting.current = false;
    if (!isDone) turnPage();
  }, [text, box]);
  useLayoutEffect(() => {
    if (start > 1) turnPage();
  }, [start]);
  return { page, isWriting };
}

/** Tells the list what is typed, and where the caret is. */
function useSuggesting(box: RefObject<HTMLTextAreaElement | null>, isWriting: RefObject<boolean>) {
  const { composer, suggest } = usePanel();
  const typed = useRef<string | undefined>(undefined);
  const text = composer.text.value;
  const caret = composer.caret.value;
  useLayoutEffect(() => {
    // Sent, recalled, or brought by the host: nobody is typing a word.
    if (text !== typed.current) suggest.changed(text, 0, 'other');
    typed.current = text;
  }, [text, suggest]);
  useLayoutEffect(() => {
    const { current } = box;
    if (!caret || !current) return;
    current.setSelectionRange(caret.at, caret.at);
    suggest.changed(current.value, caret.at, 'typed');
  }, [caret, suggest, box]);
  return {
    onInput: (event: BoxEvent<InputEvent>) => {
      if (isWriting.current) {
        // Nobody types, for those further up either.
        event.stopPropagation();
        return;
      }
      const { value, selectionEnd } = event.currentTarget;
      typed.current = value;
      composer.edit(value);
      suggest.changed(value, selectionEnd, howTyped(event));
    },
    onSelect: (event: BoxEvent<Event>) => {
      const { value, selectionStart, selectionEnd } = event.currentTarget;
      if (selectionStart === selectionEnd) suggest.changed(value, selectionEnd, 'moved');
      else suggest.close();
    },
    onBlur: () => {
      suggest.close();
      composer.flush();
    },
  };
}

/** Code of an editor becomes a mention of its lines. */
function useCodePaste(box: RefObject<HTMLTextAreaElement | null>) {
  const { paste, announcer } = usePanel();
  const placed = paste.placed.value;
  useLayoutEffect(() => {
    if (!placed || !box.current || !placeMention(box.current, placed)) return;
    announcer.say(l10n.t('Pasted as {0}. Undo brings the text back.', placed.mention));
  }, [placed, box, announcer]);
}

type BoxEvent<E extends Event> = TargetedEvent<HTMLTextAreaElement, E>;

/** What was pasted or dropped is no word that somebody types. */
function howTyped(event: Event): 'typed' | 'other' {
  const isOther = event instanceof InputEvent && event.inputType.startsWith('insertFrom');
  return isOther ? 'other' : 'typed';
}

function isSuggestKey(event: KeyboardEvent): boolean {
  if (isImeKey(event) || !Object.hasOwn(KEYS, event.key)) return false;
  return !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
}

/** Nothing is selected, and the caret stands before or behind everything. */
function isAtAnEnd(box: HTMLTextAreaElement | null): boolean {
  if (box?.selectionStart !== box?.selectionEnd) return false;
  return box?.selectionEnd === 0 || box?.selectionEnd === box?.value.length;
}

function placeholder(running: boolean, folder: string | undefined): string {
  if (running) return l10n.t('Ask, or add to the queue…');
  return folder === undefined ? l10n.t('Ask anything…') : l10n.t('Ask anything about {0}…', folder);
}

function focusAtEnd(box: HTMLTextAreaElement | null): void {
  if (!box) return;
  box.focus();
  box.setSelectionRange(box.value.length, box.value.length);
}
