import type { Disposable } from '../base/disposable';
import type { Event } from '../base/event';
import type { Logger } from '../base/logger';
import type { AskPort } from './askPort';
import type { CallSession } from './callContext';
import type { ConversationFacts, ConversationReset } from './conversationFacts';
import type { ForeignServer, ForeignSession } from './foreignServer';

const never: Event<ConversationReset> = () => ({ dispose: () => undefined });

/** One conversation's connection to a server of others, and what its calls see of the conversation. */
export class ForeignLink implements CallSession, Disposable {
  readonly server: ForeignServer;
  readonly session: ForeignSession;
  readonly conversation: ConversationFacts;
  readonly state = new Map<string, unknown>();
  readonly clientInfo = undefined;
  readonly clientCapabilities = undefined;
  readonly onDidReset: Event<ConversationReset>;

  constructor(
    server: ForeignServer,
    host: {
      readonly conversation: ConversationFacts;
      readonly log: Logger;
      readonly ask?: AskPort | undefined;
    },
    notify: (message: object) => void,
  ) {
    this.server = server;
    this.conversation = host.conversation;
    this.onDidReset = host.conversation.onDidReset ?? never;
    this.session = server.open({
      conversation: host.conversation,
      log: host.log,
      ask: host.ask,
      notify: (method, params) => {
        notify({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });
      },
    });
  }

  /** Its messages come as notifications of its own. */
  wantsLog(): boolean {
    return false;
  }

  dispose(): void {
    this.session.dispose();
  }
}
