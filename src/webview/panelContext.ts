import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Signal } from '@preact/signals';
import type { ViewMessage } from '../chat/viewProtocol';
import type { Announcer } from './announcer';
import type { AnsweredCards } from './answeredCards';
import type { AskDrafts } from './askDrafts';
import type { AttachmentsModel } from './attachmentsModel';
import type { CodeColours } from './codeColours';
import type { CodePaste } from './codePaste';
import type { ComposerModel } from './composerModel';
import type { ConversationsModel } from './conversationsModel';
import type { EditModel } from './editModel';
import type { FoldBook } from './foldBook';
import type { FindModel } from './findModel';
import type { ImageLoader } from './imageLoader';
import type { ReadingModel } from './readingModel';
import type { PictureCache } from './pictureCache';
import type { ReasonDrafts } from './reasonDrafts';
import type { SuggestModel } from './suggestModel';
import type { SymbolModel } from './symbolModel';
import type { ViewStore } from './viewStore';

/** What every part of the panel can reach. */
export interface Panel {
  readonly store: ViewStore;
  readonly composer: ComposerModel;
  readonly attachments: AttachmentsModel;
  readonly pictures: PictureCache;
  readonly suggest: SuggestModel;
  readonly paste: CodePaste;
  readonly conversations: ConversationsModel;
  readonly find: FindModel;
  readonly images: ImageLoader;
  readonly reading: ReadingModel;
  readonly folds: FoldBook;
  readonly edits: EditModel;
  readonly symbols: SymbolModel;
  readonly asks: AskDrafts;
  readonly reasons: ReasonDrafts;
  readonly answered: AnsweredCards;
  readonly announcer: Announcer;
  readonly colours: CodeColours;
  readonly post: (message: ViewMessage) => void;
  /** How many pickers or popups are open: Escape closes those before it stops a turn. */
  readonly openPopups: Signal<number>;
  /** Grows when something asks for the list of models to open. */
  readonly modelPickerRequests: Signal<number>;
}

const context = createContext<Panel | undefined>(undefined);

export const PanelProvider = context.Provider;

export function usePanel(): Panel {
  const panel = useContext(context);
  if (!panel) throw new Error('This component stands outside the panel');
  return panel;
}
