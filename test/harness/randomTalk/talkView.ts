import type { HostMessage } from '../../../src/chat/viewProtocol';
import { FakeSurface } from '../../unit/host/hostFakes';
import { type PagePorts, TalkPage } from './talkPage';

/**
 * A webview with the page in it. What the host posts comes a moment later; to a page that is hidden
 * it is lost, and for one that is being loaded it waits, as in VS Code.
 */
export class TalkView extends FakeSurface {
  readonly #ports: Omit<PagePorts, 'post'>;
  page: TalkPage | undefined;
  #waiting: HostMessage[] = [];
  isGone = false;

  constructor(place: string, ports: Omit<PagePorts, 'post'>) {
    super(place, true);
    this.#ports = ports;
  }

  /** Loads the page; it is there a moment later. */
  load(): void {
    this.page = undefined;
    setImmediate(() => {
      if (this.isGone || this.page) return;
      const page = new TalkPage({
        ...this.#ports,
        post: (message) => {
          if (!this.isGone && this.page === page) this.received.fire(structuredClone(message));
        },
      });
      this.page = page;
      for (const message of this.#waiting.splice(0)) page.receive(message);
      page.start();
    });
  }

  show(): void {
    if (this.visible) return;
    this.visible = true;
    if (!this.page) this.load();
    this.visibility.fire(true);
  }

  /** @param keepsPage false where the page is thrown away, as in the side bar */
  hide(keepsPage: boolean): void {
    if (!this.visible) return;
    this.page?.composer.flush();
    this.visible = false;
    if (!keepsPage) this.page = undefined;
    this.visibility.fire(false);
  }

  /** The view is closed for good. */
  close(): void {
    this.page?.composer.flush();
    this.visible = false;
    this.isGone = true;
    this.disposed.fire();
  }

  override post(message: HostMessage): Promise<boolean> {
    // A copy, as through the channel; `undefined` goes on the way.
    const copy = JSON.parse(JSON.stringify(message)) as HostMessage;
    if (!this.visible || this.isGone) return Promise.resolve(false);
    return new Promise((resolve) => {
      setImmediate(() => {
        const isThere = this.visible && !this.isGone;
        if (isThere && this.page) this.page.receive(copy);
        else if (isThere) this.#waiting.push(copy);
        resolve(isThere);
      });
    });
  }
}
