import type { HostMessage, ViewMessage } from '../../../src/chat/viewProtocol';
import { AttachmentsModel } from '../../../src/webview/attachmentsModel';
import { ComposerModel } from '../../../src/webview/composerModel';
import type { TimerPort } from '../../../src/webview/draftTimer';
import { Sequence } from '../../../src/webview/sequence';
import { ViewStore } from '../../../src/webview/viewStore';

export interface PagePorts {
  readonly post: (message: ViewMessage) => void;
  readonly timers: TimerPort;
  readonly now: () => number;
  readonly newId: () => string;
}

/** The panel's page without a browser: its own models, fed as `main.tsx` feeds them. */
export class TalkPage {
  readonly store = new ViewStore();
  readonly composer: ComposerModel;
  readonly #ports: PagePorts;
  readonly #sequence = new Sequence();
  /** The message that was handed in last, for a page that hands it in twice. */
  lastSubmit: ViewMessage | undefined;

  constructor(ports: PagePorts) {
    this.#ports = ports;
    const post = (message: ViewMessage): void => {
      if (message.type === 'submit') this.lastSubmit = message;
      ports.post(message);
    };
    const attachments = new AttachmentsModel({
      ...{ post, newId: ports.newId },
      look: () => Promise.reject(new Error('no pictures here')),
      encode: () => Promise.resolve(''),
      show: () => Promise.resolve(),
    });
    this.composer = new ComposerModel({ ...ports, post, attachments, selection: () => undefined });
  }

  /** Its script listens from now on. */
  start(): void {
    this.#ports.post({ type: 'ready' });
  }

  receive(message: HostMessage): void {
    // What else the host says changes nothing that is looked at here.
    if (message.type === 'snapshot') {
      this.#sequence.take(message);
      this.composer.start(message.draft, message.images, message.box);
      this.store.reset(message.state);
    } else if (message.type === 'patches') {
      const what = this.#sequence.take(message);
      if (what === 'use') this.store.apply(message.patches);
      else if (what === 'gap') this.start();
    } else if (message.type === 'insertText') this.composer.insert(message.text);
    else if (message.type === 'submitted') {
      this.composer.submitted(message.promptId, message.refused);
    }
  }
}
