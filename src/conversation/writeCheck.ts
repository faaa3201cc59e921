import * as l10n from '@vscode/l10n';
import path from 'node:path';
import { errorMessage } from '../base/errors';
import type { Logger } from '../base/logger';
import type { PermissionRequest } from '../chat/permissionRequest';
import { editedPath } from '../chat/proposedEdit';
import type { PermissionResult } from '../protocol/permissions';
import { type EditVerdict, guardEdit } from '../rules/editGuard';
import { pathKey } from '../rules/pathShape';
import { isPlanFile } from '../rules/protectedPaths';
import { mayChangeToolFiles, SHELL_TOOLS } from '../rules/shellGuard';
import { resolveRealPath } from '../workFiles/realPath';
import type { BuffersPort } from './conversationPorts';
import { withDeadline } from './withDeadline';

/** Milliseconds for looking at the paths; a dead network folder must not hold the tool. */
const LOOK_WITHIN_MS = 10_000;

export interface WriteCheckPorts {
  readonly buffers: Pick<BuffersPort, 'dirtyFiles'>;
  readonly workspaceRoots: () => readonly string[];
  /** The CLI's own plan files lie here; writing them is part of plan mode. */
  readonly planFolder: string;
  readonly log: Logger;
  /** A write was refused because these files hold unsaved changes. */
  readonly onRefused: (toolUseId: string, dirtyPaths: readonly string[]) => void;
}

/** A call that may write. */
export interface WriteCall {
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly toolUseId: string | undefined;
  /** From which a relative path counts. */
  readonly cwd: string;
}

export type AskPerson = (
  cardId: string,
  question: PermissionRequest,
  signal: AbortSignal,
  /** A write of tool files: asked about in every permission mode. */
  isOfToolFiles?: boolean,
) => Promise<PermissionResult>;

export type WriteVerdict =
  /** There is nothing to say: the usual rules decide. */
  | { readonly kind: 'none' }
  | { readonly kind: 'allowed'; readonly reason: string }
  /** `message` is what the model reads. `interrupt`: the person stopped the turn. */
  | { readonly kind: 'denied'; readonly message: string; readonly interrupt: boolean };

type Look = EditVerdict & { readonly place: string };

/**
 * Whether a call may write where its path leads. The person can take a day for an answer, and in
 * that time the path can be made to lead elsewhere and the file can get unsaved changes: after each
 * answer it is looked at again, and asked about anew where it leads to another place.
 */
export class WriteCheck {
  readonly #ports: WriteCheckPorts;
  /** The place that the person has allowed, by `tool_use` id. */
  readonly #allowed = new Map<string, string>();
  /** The check of a call that is under way, so that hook and question of one call ask once. */
  readonly #underWay = new Map<string, Promise<unknown>>();

  constructor(ports: WriteCheckPorts) {
    this.#ports = ports;
  }

  /** @param cardId for the first question; a further one gets an id of its own */
  async clear(
    call: WriteCall,
    cardId: string,
    signal: AbortSignal,
    ask: AskPerson,
  ): Promise<WriteVerdict> {
    const key = call.toolUseId ?? cardId;
    const before = this.#underWay.get(key) ?? Promise.resolve();
    const own = before
      .catch(() => undefined)
      .then(() => this.#clear(key, call, cardId, signal, ask));
    this.#underWay.set(key, own);
    try {
      return await own;
    } finally {
      if (this.#underWay.get(key) === own) this.#underWay.delete(key);
    }
  }

  async #clear(
    key: string,
    call: WriteCall,
    cardId: string,
    signal: AbortSignal,
    ask: AskPerson,
  ): Promise<WriteVerdict> {
    for (let round = 0; ; round += 1) {
      const { decision, reason, place, dirtyPaths, isOfToolFiles } = await this.#judge(call);
      if (decision === 'deny') {
        if (call.toolUseId !== undefined && dirtyPaths) {
          this.#ports.onRefused(call.toolUseId, dirtyPaths);
        }
        return { kind: 'denied', message: reason, interrupt: false };
      }
      if (decision === 'none') return round === 0 ? { kind: 'none' } : { kind: 'allowed', reason };
      if (this.#allowed.get(key) === place) return { kind: 'allowed', reason };
      const question = questionOf(call, reason);
      const id = round === 0 ? cardId : `${cardId}/${round}`;
      const answer = await ask(id, question, signal, isOfToolFiles);
      if (answer.behavior === 'deny') {
        const { message, interrupt } = answer;
        return { kind: 'denied', message, interrupt: interrupt === true };
      }
      this.#allowed.set(key, place);
    }
  }

  /** Whether a path leads to one of the CLI's own plan files. */
  async isPlanFile(file: string, cwd: string): Promise<boolean> {
    const [real, folder] = await Promise.all([
      resolveRealPath(path.resolve(cwd, file)),
      resolveRealPath(this.#ports.planFolder),
    ]);
    return isPlanFile(real, folder, process.platform);
  }

  /** What it would say of the call as it is now, and where its path leads; asks and tells nobody. */
  async look(call: WriteCall): Promise<Pick<Look, 'decision' | 'place'>> {
    return this.#judge(call);
  }

  /** Whether the person has allowed this call already, as it was then. */
  isAllowed(toolUseId: string | undefined): boolean {
    return toolUseId !== undefined && this.#allowed.has(toolUseId);
  }

  /** What was allowed belongs to the calls of one process. */
  forget(): void {
    this.#allowed.clear();
  }

  async #judge(call: WriteCall): Promise<Look> {
    try {
      return await withDeadline(
        this.#look(call),
        LOOK_WITHIN_MS,
        `no answer of the disk within ${LOOK_WITHIN_MS} ms`,
      );
    } catch (error) {
      // A guard that cannot judge asks: an allowed write would be a hole.
      this.#ports.log.error('The guard could not look at a path; the person is asked', error);
      const reason = l10n.t('The path could not be checked: {0}', errorMessage(error));
      return { decision: 'ask', reason, place: '' };
    }
  }

  async #look({ toolName, input, cwd }: WriteCall): Promise<Look> {
    if (SHELL_TOOLS.has(toolName)) return lookAtLine(toolName, input.command, cwd);
    const target = editedPath(toolName, input);
    // A call without a path fails in the CLI's own check of its input.
    if (target === undefined) return { decision: 'none', reason: '', place: '' };
    const absolute = path.resolve(cwd, target);
    const [realPath, planFolder, ...workspaceRoots] = await Promise.all([
      resolveRealPath(absolute),
      resolveRealPath(this.#ports.planFolder),
      ...this.#ports.workspaceRoots().map(resolveRealPath),
    ]);
    const verdict = guardEdit({
      toolName,
      targets: [{ path: absolute, realPath, dirtyAs: await this.#dirtyAs(realPath) }],
      workspaceRoots,
      planFolder,
      platform: process.platform,
    });
    return { ...verdict, place: realPath };
  }

  /** The editor may have opened the file by a link, or by its place while the call goes by one. */
  async #dirtyAs(realPath: string): Promise<string | undefined> {
    const wanted = pathKey(realPath, process.platform);
    for (const file of this.#ports.buffers.dirtyFiles()) {
      if (pathKey(await resolveRealPath(file), process.platform) === wanted) return file;
    }
    return undefined;
  }
}

/** Allowed is the line itself: where it leads cannot be known. */
function lookAtLine(toolName: string, line: unknown, cwd: string): Look {
  if (typeof line !== 'string' || !mayChangeToolFiles(toolName, line, cwd)) {
    return { decision: 'none', reason: '', place: '' };
  }
  const reason = l10n.t(
    'It names .patchbay, whose files run inside the editor, and may change something there.',
  );
  return { decision: 'ask', reason, place: line, isOfToolFiles: true };
}

function questionOf(call: WriteCall, reason: string): PermissionRequest {
  return {
    tool_name: call.toolName,
    input: { ...call.input },
    tool_use_id: call.toolUseId,
    decision_reason: reason,
    decision_reason_type: 'hook',
  };
}
