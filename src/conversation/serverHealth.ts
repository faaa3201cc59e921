import * as l10n from '@vscode/l10n';
import { cleanName } from '../mcp/names';

/** A server as `system/init` names it, and its error as `mcp_status` tells it. */
export interface ServerRow {
  readonly name: string;
  readonly status?: string | undefined;
  readonly error?: string | undefined;
}

export interface ServerHealthOptions {
  /** Names of the servers that the person configured. */
  readonly person: readonly string[];
  /** Our own that have tools. */
  readonly own: readonly string[];
  readonly rows: readonly ServerRow[];
  /** Wire names of the tools that the model is offered. */
  readonly tools: readonly string[];
}

/**
 * One sentence for each server that does not work: the CLI goes on without its tools and says so
 * nowhere (facts of MCP, section 1, and of the chat, launch faults).
 */
export function serverProblems(options: ServerHealthOptions): string[] {
  const { person, own, rows } = options;
  const byName = new Map(rows.map((row) => [row.name, row]));
  const ofOwn = new Set(own);
  return [
    ...own.flatMap((name) => ownProblem(name, byName.get(name), options.tools)),
    ...person
      .filter((name) => !ofOwn.has(name))
      .flatMap((name) => personProblem(name, byName.get(name))),
  ];
}

function ownProblem(
  name: string,
  row: ServerRow | undefined,
  tools: readonly string[],
): readonly string[] {
  if (row?.status === 'failed') {
    return [
      l10n.t(
        'Patchbay’s own server {0} could not be connected. The agent works without its tools; the next message tries again.',
        name,
      ),
    ];
  }
  // Without a row nothing is known of it; `pending` may still come.
  if (row?.status !== 'connected') return [];
  const prefix = `mcp__${cleanName(name)}__`;
  if (tools.some((tool) => tool.startsWith(prefix))) return [];
  return [
    l10n.t(
      'The agent was given no tool of Patchbay’s own server {0}. Look whether patchbay.cli.arguments forbids them; else the log says more.',
      name,
    ),
  ];
}

function personProblem(name: string, row: ServerRow | undefined): readonly string[] {
  if (row === undefined) {
    return [
      l10n.t(
        'The CLI left out your server {0}, most likely for its type. Correct its entry with "claude mcp".',
        name,
      ),
    ];
  }
  if (row.status === 'needs-auth') {
    return [
      l10n.t(
        'Your server {0} asks for a login. Run "claude" in a terminal and log in by /mcp there.',
        name,
      ),
    ];
  }
  if (row.status !== 'failed') return [];
  return [
    row.error === undefined
      ? l10n.t('Your server {0} could not be started. The agent works without its tools.', name)
      : l10n.t(
          'Your server {0} could not be started: {1}. The agent works without its tools.',
          name,
          row.error,
        ),
  ];
}
