import * as l10n from '@vscode/l10n';
import {
  type ArgumentInfo,
  argumentText,
  findArgument,
  parseArguments,
  typedArgument,
} from '../chat/commandLine';
import { fuzzyScore } from '../chat/fuzzyMatch';
import { panelCommands } from '../chat/panelCommands';
import { SIDE_COMMAND } from '../chat/sideProtocol';
import type { SuggestQuery } from '../chat/suggestProtocol';
import type { SlashCommand } from '../protocol/controlResults';
import { findPrompt, promptCommand, promptOfCommand, typedName } from './commandNames';
import type { SuggestPart, SuggestSource } from './conversationPorts';
import type { OfferedPrompt, ServerOffers } from './serverOffers';

export interface CommandPorts {
  readonly offers: ServerOffers;
  /** The CLI's commands; waits for a CLI that is starting. Undefined while none runs. */
  readonly cliCommands: () => Promise<readonly SlashCommand[] | undefined>;
  readonly isCliCommand: (name: string) => boolean;
}

type Row = SuggestPart['rows'][number];

/** Who knows commands that begin as `text`: the CLI, and each server of ours that has prompts. */
export function commandSources(text: string, ports: CommandPorts): readonly SuggestSource[] {
  const { offers, cliCommands, isCliCommand } = ports;
  const ofServers = offers.servers('prompts').map((server): SuggestSource => ({
    name: server,
    rows: async (signal) => {
      const prompts = await offers.prompts(server, signal);
      return { rows: prompts.flatMap((prompt) => promptRow(prompt, text, isCliCommand, prompts)) };
    },
  }));
  const ofCli: SuggestSource = {
    name: 'claude',
    rows: async () => ({
      rows: ((await cliCommands()) ?? []).flatMap((command) => commandRow(command, text)),
    }),
  };
  return [ofCli, ...ofServers];
}

/** What we do ourselves. The agent is asked first, since a command of its own of that name is meant. */
export function panelSource(text: string, ports: CommandPorts): SuggestSource {
  return {
    name: 'Patchbay',
    rows: async () => {
      await ports.cliCommands();
      const rows = panelCommands(ports.isCliCommand).flatMap(({ command, name, description }) => {
        const score = bestScore(text, [name, command], description);
        if (score === undefined) return [];
        return [
          {
            ...{ id: `panel ${command}`, icon: 'layout-panel', label: `/${name}` },
            ...{ origin: 'Patchbay', description, insert: `/${name}` },
            ...{ runs: true as const, score },
          },
        ];
      });
      return { rows: [...sideRow(text, ports.isCliCommand), ...rows] };
    },
  };
}

/** The one of ours that takes something: it is written into the box, not run. */
function sideRow(text: string, isTaken: (name: string) => boolean): readonly Row[] {
  const description = l10n.t('Asks beside the conversation, which stays as it is');
  const score = bestScore(text, [SIDE_COMMAND], description);
  if (score === undefined || isTaken(SIDE_COMMAND)) return [];
  return [
    {
      ...{ id: `own ${SIDE_COMMAND}`, icon: 'comment', label: `/${SIDE_COMMAND}`, description },
      ...{ detail: l10n.t('question'), origin: 'Patchbay', insert: `/${SIDE_COMMAND} ` },
      score,
    },
  ];
}

/** Who knows what a command takes next. */
export function argumentSources(
  query: Extract<SuggestQuery, { kind: 'argument' }>,
  ports: CommandPorts,
): readonly SuggestSource[] {
  const { offers, isCliCommand, cliCommands } = ports;
  const found = promptOfCommand(query.command, (name) => offers.has(name), isCliCommand);
  if (found === undefined) {
    const rows = async (): Promise<SuggestPart> => {
      const all = await cliCommands();
      const command = all?.find(
        (one) => typedName(one) === query.command || isAlias(one, query.command),
      );
      const hint = command?.argumentHint?.trim();
      return { rows: [], hint: hint === '' ? undefined : hint };
    };
    return [{ name: 'claude', rows }];
  }
  const rows = async (signal: AbortSignal): Promise<SuggestPart> => {
    const prompts = await offers.prompts(found.server, signal);
    const prompt = findPrompt(prompts, found.name);
    return prompt === undefined ? { rows: [] } : argumentRows(prompt, query, offers, signal);
  };
  return [{ name: found.server, rows }];
}

function commandRow(command: SlashCommand, text: string): readonly Row[] {
  const name = typedName(command);
  // The CLI's own name for it, without its mark, is what is known.
  const label = command.name.replace(/ \(MCP\)$/, '');
  const alias = command.aliases?.find((one) => one.toLowerCase() === text.toLowerCase());
  const best = bestScore(text, [label, name, ...(command.aliases ?? [])], command.description);
  if (best === undefined) return [];
  const hint = command.argumentHint?.trim() ?? '';
  return [
    {
      id: `cli ${command.name}`,
      icon: label === command.name ? 'terminal' : 'mcp',
      label: `/${alias ?? label}`,
      ...(hint === '' ? {} : { detail: hint }),
      ...(label === command.name ? {} : { origin: 'MCP' }),
      ...withText(command.description),
      insert: `/${alias ?? name} `,
      score: best,
    },
  ];
}

function promptRow(
  prompt: OfferedPrompt,
  text: string,
  isTaken: (name: string) => boolean,
  all: readonly OfferedPrompt[],
): readonly Row[] {
  const name = promptCommand(prompt, isTaken, all);
  const best = bestScore(text, [prompt.name, name], prompt.description);
  if (best === undefined) return [];
  const first = prompt.arguments.find(({ required }) => required);
  const hint = describeArguments(prompt.arguments);
  return [
    {
      id: `prompt ${prompt.server} ${prompt.name}`,
      icon: 'comment-discussion',
      label: `/${name}`,
      ...(hint === '' ? {} : { detail: hint }),
      origin: prompt.server,
      ...withText(prompt.description),
      insert: `/${name} ${first === undefined ? '' : `${typedArgument(first.name)}=`}`,
      score: best,
    },
  ];
}

async function argumentRows(
  prompt: OfferedPrompt,
  query: Extract<SuggestQuery, { kind: 'argument' }>,
  offers: ServerOffers,
  signal: AbortSignal,
): Promise<SuggestPart> {
  const all = prompt.arguments;
  const given = parseArguments(query.given, all);
  const hint = describeArguments(all.filter(({ name }) => !Object.hasOwn(given, name)));
  const typed = /^([^\s="]+)=("?)(.*)$/su.exec(query.text);
  const named = typed && findArgument(all, typed[1] ?? '');
  if (named) {
    const value = typed[3] ?? '';
    const ref = { type: 'ref/prompt', name: prompt.name } as const;
    const values = await offers
      .complete(prompt.server, ref, { name: named.name, value }, given, signal)
      // Most servers complete nothing, and many say so with an error.
      .catch(() => []);
    const rows = values.map((one, index): Row => ({
      id: `value ${one}`,
      icon: 'symbol-constant',
      label: one,
      insert: `${argumentText(named.name, one)} ${nextRequired(all, { ...given, [named.name]: one })}`,
      score: 1_000 - index,
    }));
    return { rows, hint: describeArgument(named) };
  }
  const open = all.filter(({ name }) => !Object.hasOwn(given, name));
  const rows = open.flatMap((one, index): Row[] => {
    const score = fuzzyScore(query.text, typedArgument(one.name));
    if (score === undefined) return [];
    return [
      {
        id: `argument ${one.name}`,
        icon: 'symbol-parameter',
        label: `${typedArgument(one.name)}=`,
        ...(one.required ? {} : { detail: l10n.t('optional') }),
        ...withText(one.description),
        insert: `${typedArgument(one.name)}=`,
        score: score + (one.required ? 500 : 0) - index,
      },
    ];
  });
  // With nothing typed Enter must still be able to send.
  const isOptional = query.text === '' && !open.some(({ required }) => required);
  return { rows, hint, isOptional };
}

/** The next argument that has to be given, ready to be filled. */
function nextRequired(
  all: readonly ArgumentInfo[],
  given: Readonly<Record<string, string>>,
): string {
  const next = all.find(({ name, required }) => required && !Object.hasOwn(given, name));
  return next === undefined ? '' : `${typedArgument(next.name)}=`;
}

/** `id, hours (optional)` */
function describeArguments(args: readonly ArgumentInfo[]): string {
  return args
    .map(({ name, required }) => (required ? name : l10n.t('{0} (optional)', name)))
    .join(', ');
}

function describeArgument({ name, description }: ArgumentInfo): string {
  return description === undefined ? name : `${name}: ${description}`;
}

/** A name counts in full; a word in the description helps where no name fits. */
function bestScore(
  text: string,
  names: readonly string[],
  description: string | undefined,
): number | undefined {
  const scores = names.flatMap((name) => fuzzyScore(text, name) ?? []);
  if (scores.length > 0) return Math.max(...scores);
  if (text.length < 3 || description === undefined) return undefined;
  return description.toLowerCase().includes(text.toLowerCase()) ? 100 : undefined;
}

function withText(text: string | undefined): { readonly description?: string } {
  const line = text?.replace(/\s+/gu, ' ').trim() ?? '';
  return line === '' ? {} : { description: line };
}

function isAlias({ aliases }: SlashCommand, name: string): boolean {
  return aliases?.includes(name) === true;
}
