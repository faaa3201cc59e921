import type { AgentKeeper } from './agentKeeper';
import type { ConversationPorts } from './conversationPorts';
import {
  fileSize,
  findSessionFile,
  growthSince,
  isOpenElsewhere,
  isShellElsewhere,
  openElsewhere,
  wentOnElsewhere,
} from './sessionGrowth';

export interface ParkingOptions {
  readonly ports: ConversationPorts;
  readonly agent: () => Pick<AgentKeeper, 'sessionId' | 'park' | 'live'>;
  /** Nothing runs, waits or is asked. */
  readonly isQuiet: () => boolean;
  /** It was not ended: it is looked at again after a while. */
  readonly onKept: () => void;
}

/** Ends a CLI that nothing has happened at for a while, and tells whether its session went on without us. */
export class Parking {
  readonly #options: ParkingOptions;
  /** Asked once, when the session is taken up again. */
  #hasGrown: (() => Promise<boolean>) | undefined;
  /** Another process has the session open, and the person knows. */
  #isHeld = false;
  /** Starts of the CLI, tried ones too. */
  #starts = 0;

  constructor(options: ParkingOptions) {
    this.#options = options;
  }

  /** Takes over from an earlier process. */
  restored(hasGrown: (() => Promise<boolean>) | undefined): void {
    this.#hasGrown = hasGrown;
  }

  /** Before each start. What the person reads where somebody else is, or was, at the session as well. */
  async starting(): Promise<string | undefined> {
    this.#starts += 1;
    const hasGrown = this.#hasGrown;
    this.#hasGrown = undefined;
    if ((await hasGrown?.()) === true) return wentOnElsewhere();
    const wasHeld = this.#isHeld;
    this.#isHeld = await isOpenElsewhere(this.#options.ports, this.#options.agent().sessionId);
    return this.#isHeld && !wasHeld ? openElsewhere() : undefined;
  }

  async park(): Promise<void> {
    const { ports, isQuiet, onKept } = this.#options;
    const agent = this.#options.agent();
    const { sessionId } = agent;
    let file: string | undefined;
    const parked = await agent.park(async () => {
      if (!isQuiet()) return false;
      // What is not on the disk only this process knows.
      if (sessionId !== undefined) file = await findSessionFile(ports, sessionId);
      if (file !== undefined && (await isShellElsewhere(ports, file))) return false;
      return isQuiet() && (sessionId === undefined || file !== undefined);
    });
    if (!parked) {
      if (agent.live) onKept();
      return;
    }
    ports.log.info('The agent had nothing to do and was ended; it is started when needed');
    const starts = this.#starts;
    const size = file === undefined ? undefined : await fileSize(file);
    if (file === undefined || size === undefined || this.#starts !== starts) return;
    this.#hasGrown = growthSince(file, size);
  }
}
