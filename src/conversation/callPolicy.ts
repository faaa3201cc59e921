import * as l10n from '@vscode/l10n';
import path from 'node:path';
import { errorMessage } from '../base/errors';
import type { Logger } from '../base/logger';
import type { PermissionRequest } from '../chat/permissionRequest';
import type { CallQuestion, Verdict } from '../mcp/callDesk';
import type { ToolDefinition } from '../mcp/defineTool';
import { wireName } from '../mcp/names';
import type { OfferedServers } from '../mcp/switchedServers';
import type { PermissionResult } from '../protocol/permissions';
import { guardEdit } from '../rules/editGuard';
import type { PermissionMode } from '../rules/modes';
import { MODE_VERDICTS, type CallKind, type ModeVerdict } from '../rules/modeVerdicts';
import { resolveRealPath } from '../workFiles/realPath';
import type { WriteWatch } from './changeDesk';
import type { ConversationPorts } from './conversationPorts';
import { movedMeanwhile, refusedByMode } from './modeTexts';
import { withDeadline } from './withDeadline';

/** Milliseconds that a tool has to say which files it will write. */
const NAME_WITHIN_MS = 10_000;

export interface CallPolicyPorts {
  readonly registry: Pick<OfferedServers, 'all'>;
  /** As it is now. */
  readonly mode: () => PermissionMode;
  readonly workspaceRoots: () => readonly string[];
  /** From which a relative path of an editing tool counts. */
  readonly cwd: string;
  readonly log: Logger;
  /** Told of the files of a call that is about to run, by the id of its request. */
  readonly watch?: Pick<WriteWatch, 'willWrite'> | undefined;
}

/** A call of an in-process tool, as a permission mode sees it. */
export interface CallLook {
  readonly kind: CallKind;
  /** Why the person is asked; set for edits that are not inside. */
  readonly reason?: string;
  /** Where its paths lead, links resolved; empty for a call that edits nothing. */
  readonly place: string;
  /** The paths as they are written, absolute; none for a call that edits nothing. */
  readonly paths?: readonly string[];
}

interface Found {
  /** `undefined`: of a server of others, whose tools are not known here. */
  readonly tool: ToolDefinition | undefined;
}

const RUNS: CallLook = { kind: 'runs', place: '' };
const READS: CallLook = { kind: 'reads', place: '' };

/** The person's own rule or hook wants a question, whatever the mode allows. */
function standsAbove(request: PermissionRequest): boolean {
  const reason = request.decision_reason_type ?? '';
  return request.requires_user_interaction === true || STANDING_REASONS.has(reason);
}
const STANDING_REASONS = new Set(['rule', 'hook', 'safetyCheck']);

/**
 * Holds the in-process tools to the permission mode, which the CLI does for its own tools only. It
 * is asked three times about a call: by the hook before it, by the CLI's question, and by the router
 * as it is about to run. The last one holds whatever rule, hook or older CLI let it through.
 */
export class CallPolicy {
  readonly #ports: CallPolicyPorts;
  /** Where the calls lead that were allowed, by `tool_use` id. */
  readonly #cleared = new Map<string, string>();

  constructor(ports: CallPolicyPorts) {
    this.#ports = ports;
  }

  /** What the mode says to a call before it; undefined for a tool that is not ours. */
  async before(
    toolName: string,
    input: unknown,
    mode = this.#ports.mode(),
  ): Promise<(CallLook & { readonly verdict: ModeVerdict }) | undefined> {
    const found = this.#find(toolName);
    if (found === undefined) return undefined;
    const look = await this.#look(found.tool, input);
    return { ...look, verdict: MODE_VERDICTS[mode][look.kind] };
  }

  /**
   * Answers the CLI's question about a call, by a card where the mode leaves it to the person. What
   * they allow runs in any mode, also where that has changed meanwhile: it is their word.
   * @returns undefined for a tool that is not ours
   */
  async permit(
    request: PermissionRequest,
    ask: () => Promise<PermissionResult>,
  ): Promise<PermissionResult | undefined> {
    const { tool_name: toolName, input, tool_use_id: id } = request;
    const tool = this.#find(toolName)?.tool;
    const before = await this.before(toolName, input);
    if (before === undefined) return undefined;
    // Asked for once more: it may have changed while the paths were looked at.
    const mode = this.#ports.mode();
    const verdict = MODE_VERDICTS[mode][before.kind];
    if (verdict === 'refuse') {
      return { behavior: 'deny', message: refusedByMode(toolName, mode, before.reason) };
    }
    if (verdict === 'run' && !standsAbove(request)) {
      return { behavior: 'allow', updatedInput: input };
    }
    const answer = await ask();
    if (answer.behavior === 'deny') return answer;
    const { place } = await this.#look(tool, answer.updatedInput);
    if (place !== before.place) return { behavior: 'deny', message: movedMeanwhile(toolName) };
    if (id !== undefined) this.#cleared.set(id, place);
    return answer;
  }

  /** The person allowed a call before the CLI had a say: it runs where it leads to this place. */
  clear(toolUseId: string, place: string): void {
    this.#cleared.set(toolUseId, place);
  }

  /** For the router, as the call is about to run. */
  readonly verdict = (question: CallQuestion): Verdict | Promise<Verdict> => {
    const tool = question.definition;
    if (tool?.annotations?.readOnlyHint === true || tool?.reads?.(question.input) === true) {
      return 'allow';
    }
    const id = question.toolUseId ?? '';
    const cleared = this.#cleared.get(id);
    this.#cleared.delete(id);
    const mode = this.#ports.mode();
    if (mode === 'plan' && cleared === undefined) {
      return { deny: refusedByMode(wireName(question.server, question.tool), mode) };
    }
    return tool?.edits === undefined ? 'allow' : this.#judgeEdit(tool, question, cleared);
  };

  /** What was allowed belongs to the calls of one process. */
  forget(): void {
    this.#cleared.clear();
  }

  async #judgeEdit(
    tool: ToolDefinition,
    question: CallQuestion,
    cleared: string | undefined,
  ): Promise<Verdict> {
    const look = await this.#place(tool, question.input);
    const verdict = this.#verdictOf(look, question, cleared);
    // Here what the files hold is not the tool's yet.
    if (verdict === 'allow') {
      await this.#ports.watch?.willWrite(question.requestId, look.paths ?? []);
    }
    return verdict;
  }

  #verdictOf(look: CallLook, { server, tool }: CallQuestion, cleared: string | undefined): Verdict {
    if (cleared !== undefined && cleared === look.place) return 'allow';
    const name = wireName(server, tool);
    const mode = this.#ports.mode();
    const verdict = MODE_VERDICTS[mode][look.kind];
    if (verdict === 'refuse') return { deny: refusedByMode(name, mode, look.reason) };
    // The person was not asked about this place: it was another when the call was allowed.
    return verdict === 'ask' ? { deny: movedMeanwhile(name) } : 'allow';
  }

  #find(toolName: string): Found | undefined {
    if (!toolName.startsWith('mcp__')) return undefined;
    let isForeign = false;
    let own: ToolDefinition | undefined;
    for (const server of this.#ports.registry.all()) {
      if (!toolName.startsWith(wireName(server.name, ''))) continue;
      if (server.kind === 'foreign') isForeign = true;
      else own ??= server.tools().find(({ name }) => wireName(server.name, name) === toolName);
    }
    // A name may be that of one server's tool and begin like another server's: the stricter counts.
    if (isForeign && (own?.annotations?.readOnlyHint === true || own === undefined)) {
      return { tool: undefined };
    }
    return own && { tool: own };
  }

  async #look(tool: ToolDefinition | undefined, input: unknown): Promise<CallLook> {
    if (tool === undefined) return RUNS;
    if (tool.annotations?.readOnlyHint === true) return READS;
    if (tool.requiresUserInteraction === true) return { kind: 'needsPerson', place: '' };
    if (tool.edits === undefined && tool.reads === undefined) return RUNS;
    const parsed = await tool.parseInput(input);
    // A call whose arguments do not fit never runs.
    if (!parsed.ok) return RUNS;
    if (tool.reads?.(parsed.value) === true) return READS;
    return tool.edits === undefined ? RUNS : this.#place(tool, parsed.value);
  }

  /** A tool that does not say where it writes, or lies in how it says so, writes outside. */
  async #place(tool: ToolDefinition, input: unknown): Promise<CallLook> {
    try {
      const named = withDeadline(
        // Within the promise, so that what it throws at once is caught as well.
        Promise.resolve().then(() => tool.edits?.(input)),
        NAME_WITHIN_MS,
        `no answer within ${NAME_WITHIN_MS} ms`,
      );
      const paths: unknown = await named;
      if (!Array.isArray(paths) || paths.some((each) => typeof each !== 'string')) {
        throw new TypeError('edits must give a list of paths');
      }
      return await this.#placeOf(tool.name, paths.map(String));
    } catch (error) {
      this.#ports.log.error(`The tool '${tool.name}' could not say which files it writes`, error);
      const reason = l10n.t('The path could not be checked: {0}', errorMessage(error));
      return { kind: 'editsElsewhere', reason, place: '' };
    }
  }

  async #placeOf(toolName: string, paths: readonly string[]): Promise<CallLook> {
    if (paths.length === 0) return RUNS;
    const absolute = paths.map((each) => path.resolve(this.#ports.cwd, each));
    const [workspaceRoots, real] = await Promise.all([
      Promise.all(this.#ports.workspaceRoots().map(resolveRealPath)),
      Promise.all(absolute.map(resolveRealPath)),
    ]);
    const targets = absolute.map((each, index) => ({ path: each, realPath: real[index] ?? each }));
    const { decision, reason, isOfToolFiles } = guardEdit({
      toolName,
      targets,
      workspaceRoots,
      planFolder: '',
      platform: process.platform,
    });
    const place = real.join('\n');
    const where = { place, paths: absolute };
    if (decision === 'none') return { kind: 'editsInside', ...where };
    return { kind: isOfToolFiles === true ? 'editsToolFiles' : 'editsElsewhere', reason, ...where };
  }
}

/** @param mode of the conversation, as it is now */
export function createCallPolicy(
  ports: Pick<ConversationPorts, 'registry' | 'workspaceRoots' | 'folder' | 'log'>,
  mode: () => PermissionMode,
  watch?: WriteWatch,
): CallPolicy {
  const { registry, workspaceRoots, folder, log } = ports;
  return new CallPolicy({
    ...{ registry, workspaceRoots, log, mode, watch },
    cwd: folder?.path ?? '.',
  });
}
