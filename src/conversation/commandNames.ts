import type { SlashCommand } from '../protocol/controlResults';
import type { OfferedPrompt } from './serverOffers';

/** The CLI's name for a prompt of a server that it connects to: `notes:plan (MCP)`. */
const OF_SERVER = /^([^:\s]+):(\S+) \(MCP\)$/;

/** What is typed for a command of the CLI, without the slash. A name with a blank works in its long form. */
export function typedName({ name }: Pick<SlashCommand, 'name'>): string {
  const [, server, prompt] = OF_SERVER.exec(name) ?? [];
  return server === undefined ? name : `mcp__${server}__${prompt}`;
}

/**
 * What is typed for a prompt of a server of ours: `notes:plan`, or the long form where the CLI has that name.
 * @param all of its server: another may be typed in the same way
 */
export function promptCommand(
  { server, name }: Pick<OfferedPrompt, 'server' | 'name'>,
  isTaken: (name: string) => boolean,
  all: readonly { readonly name: string }[] = [],
): string {
  const isShared = all.some(
    (one) => one.name !== name && typedPrompt(one.name) === typedPrompt(name),
  );
  const typed = isShared ? writtenPrompt(name) : typedPrompt(name);
  const short = `${server}:${typed}`;
  return isTaken(short) ? `mcp__${server}__${typed}` : short;
}

/** The prompt that is typed so; one whose very name it is goes before. */
export function findPrompt<T extends { readonly name: string }>(
  prompts: readonly T[],
  typed: string,
): T | undefined {
  return (
    prompts.find(({ name }) => name === typed) ??
    prompts.find(({ name }) => typedPrompt(name) === typed) ??
    prompts.find(({ name }) => writtenPrompt(name) === typed)
  );
}

/** Servers of others have names of any kind: a blank would end it, with a slash it would be a path. */
function typedPrompt(name: string): string {
  return name.replace(/[\s/]+/gu, '_');
}

/** The same so that no two are equal: `my%20plan` beside `my_plan`. */
function writtenPrompt(name: string): string {
  return name.replace(/[\s/%]/gu, encodeURIComponent);
}

/** The prompt that a command's name means; undefined where no server of ours has that name. */
export function promptOfCommand(
  command: string,
  hasServer: (name: string) => boolean,
  isTaken: (name: string) => boolean,
): { readonly server: string; readonly name: string } | undefined {
  if (command.startsWith('mcp__')) return longForm(command.slice('mcp__'.length), hasServer);
  const at = command.indexOf(':');
  const server = command.slice(0, Math.max(at, 0));
  const name = command.slice(at + 1);
  if (at < 1 || name === '' || !hasServer(server) || isTaken(command)) return undefined;
  return { server, name };
}

/** A server's own name may hold the separator. */
function longForm(text: string, hasServer: (name: string) => boolean) {
  for (let at = text.indexOf('__'); at !== -1; at = text.indexOf('__', at + 1)) {
    const server = text.slice(0, at);
    const name = text.slice(at + 2);
    if (name !== '' && hasServer(server)) return { server, name };
  }
  return undefined;
}
