import { createHash } from 'node:crypto';
import type { PermissionRequest } from '../chat/permissionRequest';
import type { PermissionCard } from '../chat/viewStateProtocol';
import { resolveRealPath } from '../workFiles/realPath';
import { type DescribePorts, describePermission, inTime, targetPath } from './describePermission';
import type { WriteCheck } from './writeCheck';

/** Makes cards, and tells later whether a card still says what its call would do. */
export class OutdatedCards {
  readonly #ports: DescribePorts;
  readonly #writes: () => Pick<WriteCheck, 'look'>;
  /** Where the file of a card lay when it was made. */
  readonly #places = new WeakMap<PermissionCard, string>();
  /** What stood in it then, where it could be read. */
  readonly #texts = new WeakMap<PermissionCard, string>();

  constructor(ports: DescribePorts, writes: () => Pick<WriteCheck, 'look'>) {
    this.#ports = ports;
    this.#writes = writes;
  }

  async describe(requestId: string, request: PermissionRequest): Promise<PermissionCard> {
    const target = targetPath(this.#ports, request);
    // Looked up before the text is read: a link that is bent between both is seen as bent.
    const place = target === undefined ? null : await inTime(resolveRealPath(target));
    const text = target === undefined ? null : await this.#textOf(target);
    const card = await describePermission(this.#ports, requestId, request);
    if (place !== null) this.#places.set(card, place);
    if (text !== null) this.#texts.set(card, text);
    return card;
  }

  /** Of no file too; null where it cannot be read. */
  async #textOf(file: string): Promise<string | null> {
    const text = await inTime(this.#ports.buffers.read(file));
    return text === null
      ? null
      : createHash('sha256')
          .update(JSON.stringify([text]))
          .digest('hex');
  }

  /**
   * What the guard will refuse or ask about by itself is left to it. What cannot be looked up any
   * more counts as it was: the CLI will say what is the matter with it.
   */
  async isOutdated(card: PermissionCard, request: PermissionRequest): Promise<boolean> {
    const target = targetPath(this.#ports, request);
    const before = this.#places.get(card);
    if (target === undefined || before === undefined) return false;
    const { tool_name: toolName, input, tool_use_id: toolUseId } = request;
    const cwd = this.#ports.folder?.path ?? '.';
    const { decision, place } = await this.#writes().look({ toolName, input, toolUseId, cwd });
    const isElsewhere = place !== before;
    if (decision === 'deny' || (decision === 'ask' && isElsewhere)) return false;
    if (isElsewhere) return true;
    const text = await this.#textOf(target);
    if (text === null) return false;
    // It writes over all of the file, of which the card may show a part.
    const known = this.#texts.get(card);
    if (toolName === 'Write' && known !== undefined && text !== known) return true;
    const fresh = await describePermission(this.#ports, card.id, request);
    const said = ({ what, diff }: PermissionCard): string => JSON.stringify([what, diff]);
    return said(fresh) !== said(card);
  }
}
