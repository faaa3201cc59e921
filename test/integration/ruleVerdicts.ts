import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { launchArguments } from '../../src/cli/launchArguments';
import { readRuleFiles, type RuleFiles } from '../../src/cli/ruleFiles';
import type { ConversationMessage } from '../../src/protocol/messages';
import { listRules } from '../../src/conversation/listedRules';
import type { RuleText } from '../../src/rules/permissionRule';
import type { PermissionMode } from '../../src/protocol/permissions';
import { PATIENT, runCli, type RunningCli } from '../harness/fakeCli/cliHarness';
import { startModel, type ModelServer } from '../harness/model/modelServer';
import { createRealCliSandbox, type RealCliSandbox } from '../harness/model/realCli';
import { message, say, toolUse, type Turn } from '../harness/model/script';

/** A call that the real CLI is asked about. `{ws}`, `{home}` and `{base}` in its input stand for the folders. */
export interface RuleCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

interface Lists {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  readonly additionalDirectories?: readonly string[];
}

/** One process: rules that it starts with, and calls in one mode after the other. */
export interface RuleGroup {
  readonly name: string;
  readonly user?: Lists;
  readonly project?: Lists;
  readonly local?: Lists;
  readonly args?: readonly string[];
  /** The CLI's own mark that the folder is trusted; true unless said otherwise. */
  readonly trusted?: boolean;
  readonly rounds: readonly {
    readonly mode: PermissionMode;
    readonly calls: readonly RuleCall[];
  }[];
}

export interface CliVerdict {
  readonly verdict: 'allow' | 'ask' | 'deny';
  /** What the CLI said to it, for a failing test. */
  readonly said: string;
}

export interface JudgedGroup {
  readonly sandbox: Pick<RealCliSandbox, 'home' | 'workspace'>;
  /** By round, by call. */
  readonly verdicts: readonly (readonly CliVerdict[])[];
  /** The rules as the running CLI lists them. */
  readonly listed: readonly RuleText[];
  /** The same settings files as our own reader reads them. */
  readonly files: RuleFiles;
}

/** Files that every workspace has. */
const FILES: Readonly<Record<string, string>> = {
  'a.txt': 'one\n',
  'notes.md': '# Notes\n',
  '.env': 'KEY=1\n',
  'src/a.ts': 'export const one = 1;\n',
  'src/deep/b.ts': 'export const two = 2;\n',
  'secrets/key.txt': 'k\n',
  'sub/secrets/key.txt': 'k\n',
  'book.ipynb':
    '{"cells":[{"cell_type":"code","id":"c1","source":"1","metadata":{},"outputs":[],"execution_count":null}],"metadata":{},"nbformat":4,"nbformat_minor":5}',
  '.claude/skills/tidy/SKILL.md': '---\nname: tidy\ndescription: Tidies\n---\nTidy up.\n',
};

/** Else each fetch is first told to a service elsewhere. */
const SETTINGS = { skipWebFetchPreflight: true };

const TOOLS = [
  { name: 'read', description: 'Reads', annotations: { readOnlyHint: true } },
  { name: 'write', description: 'Writes', annotations: {} },
].map((tool) => ({ ...tool, inputSchema: { type: 'object' } }));

const manifestOf = (name: string) => ({
  initializeResult: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name, version: '1.0.0' },
  },
  toolsListResult: { tools: TOOLS },
});

/** Starts one model for many groups; each group is a process of the real CLI. */
export async function createRuleJudge(): Promise<{
  readonly judge: (group: RuleGroup) => Promise<JudgedGroup>;
  readonly close: () => Promise<void>;
}> {
  const prompts = new Map<string, readonly RuleCall[]>();
  const model = await startModel({
    script: (turn: Turn) => {
      const calls = prompts.get(turn.prompt);
      if (calls === undefined || turn.step > 0) return say('Done.');
      return message(calls.map(({ tool, input }) => toolUse(tool, input)));
    },
  });
  return {
    judge: (group) => judgeGroup(group, model, prompts),
    close: () => model.close(),
  };
}

async function judgeGroup(
  group: RuleGroup,
  model: ModelServer,
  prompts: Map<string, readonly RuleCall[]>,
): Promise<JudgedGroup> {
  const sandbox = await createRealCliSandbox({ modelUrl: model.url, files: FILES });
  try {
    await writeSettings(group, sandbox);
    const asked = new Map<string, string>();
    const running = await runCli({
      command: sandbox.command,
      cwd: sandbox.workspace,
      env: { ...sandbox.env, IS_SANDBOX: '1' },
      args: [...launchArguments({ trusted: true }), ...fill(group.args ?? [], sandbox)],
      closeLimits: PATIENT,
      handlers: {
        can_use_tool: (request) => {
          const { tool_use_id: id, decision_reason: reason, decision_reason_type: type } = request;
          asked.set(id ?? '', `asked (${type ?? ''}): ${reason ?? ''}`);
          return { behavior: 'deny', message: 'asked' };
        },
        mcp_message: ({ message: sent }) => {
          const { id = 0 } = sent as { id?: number };
          const result = { content: [{ type: 'text', text: 'done' }] };
          return { mcp_response: { jsonrpc: '2.0', id, result } };
        },
      },
    });
    try {
      return await play(group, sandbox, running, prompts, asked);
    } finally {
      await running.session.dispose();
    }
  } finally {
    await sandbox.cleanup();
  }
}

async function play(
  group: RuleGroup,
  sandbox: RealCliSandbox,
  { session, messages, results }: RunningCli,
  prompts: Map<string, readonly RuleCall[]>,
  asked: ReadonlyMap<string, string>,
): Promise<JudgedGroup> {
  await session.initialize({
    sdkMcpServers: ['notes', 'mail'],
    sdkMcpServerManifests: { notes: manifestOf('notes'), mail: manifestOf('mail') },
  });
  const listed = (await listRules(session)) ?? [];
  const verdicts: CliVerdict[][] = [];
  for (const [index, round] of group.rounds.entries()) {
    await session.setPermissionMode(round.mode);
    const prompt = `${group.name} ${index} ${randomUUID()}`;
    prompts.set(prompt, fill(round.calls, sandbox));
    const from = messages.length;
    await session.sendPrompt({ uuid: randomUUID(), content: prompt });
    await results(index + 1);
    verdicts.push(readVerdicts(messages.slice(from), asked));
  }
  const { env, home, workspace: folder } = sandbox;
  const files = await readRuleFiles({ env, home, folder, platform: process.platform });
  return { sandbox, verdicts, listed, files };
}

function readVerdicts(
  messages: readonly ConversationMessage[],
  asked: ReadonlyMap<string, string>,
): CliVerdict[] {
  const calls = messages.flatMap((one) =>
    one.type === 'assistant'
      ? blocks(one.message.content).filter((b) => b.type === 'tool_use')
      : [],
  );
  const metas = messages.flatMap((one) =>
    one.type === 'user' ? (one.tool_result_meta ?? []) : [],
  );
  const texts = messages.flatMap((one) => (one.type === 'user' ? blocks(one.message.content) : []));
  return calls.map(({ id = '' }) => {
    const meta = metas.find((one) => one.id === id);
    const text = JSON.stringify(texts.find((one) => one.tool_use_id === id)?.content ?? '');
    const said = `${asked.get(id) ?? ''} ${meta?.non_execution_kind ?? ''} ${JSON.stringify(meta?.permission_decision ?? {})} ${text.slice(0, 300)}`;
    if (asked.has(id)) return { verdict: 'ask', said };
    const isRefused =
      meta?.permission_decision?.decision === 'reject' ||
      /No such tool|not available|denied by permission rule/.test(text);
    return { verdict: isRefused ? 'deny' : 'allow', said };
  });
}

interface AnyBlock {
  readonly type?: string;
  readonly id?: string;
  readonly tool_use_id?: string;
  readonly content?: unknown;
}

function blocks(content: unknown): readonly AnyBlock[] {
  return Array.isArray(content) ? (content as AnyBlock[]) : [];
}

async function writeSettings(group: RuleGroup, sandbox: RealCliSandbox): Promise<void> {
  const { home, workspace } = sandbox;
  const files: readonly (readonly [string, Lists | undefined])[] = [
    [path.join(home, '.claude/settings.json'), group.user],
    [path.join(workspace, '.claude/settings.json'), group.project],
    [path.join(workspace, '.claude/settings.local.json'), group.local],
  ];
  for (const [file, permissions] of files) {
    if (permissions === undefined) continue;
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify({ ...SETTINGS, permissions: fill(permissions, sandbox) }));
  }
  const config = path.join(home, '.claude');
  await mkdir(config, { recursive: true });
  const trust = { projects: { [workspace]: { hasTrustDialogAccepted: group.trusted ?? true } } };
  await writeFile(path.join(config, '.claude.json'), JSON.stringify(trust));
}

export function fill<T>(
  value: T,
  { home, workspace }: Pick<RealCliSandbox, 'home' | 'workspace'>,
): T {
  const text = JSON.stringify(value)
    .replaceAll('{ws}', workspace)
    .replaceAll('{home}', home)
    .replaceAll('{base}', path.dirname(workspace));
  // Only texts inside were changed.
  return JSON.parse(text) as T;
}
