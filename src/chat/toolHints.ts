import * as l10n from '@vscode/l10n';

/** What our own table knows of a tool that runs in this process; the CLI's questions never carry it. */
export interface KnownTool {
  readonly title: string;
  readonly server: string;
  /** Who made it: the path of a tool file, or the id of an extension. */
  readonly source?: string | undefined;
  /** The MCP annotations, as the tool declares them. */
  readonly hints: {
    readonly readOnlyHint?: boolean | undefined;
    readonly destructiveHint?: boolean | undefined;
    readonly idempotentHint?: boolean | undefined;
    readonly openWorldHint?: boolean | undefined;
  };
}

/** Looks a tool up by its name on the wire. */
export interface KnownTools {
  get(wireName: string): KnownTool | undefined;
}

/** A tool file's path below its workspace folder; undefined for what is made by others. */
export function toolFileOf({ source }: KnownTool): string | undefined {
  return /(?:^|[\\/])(\.patchbay[\\/].+)$/.exec(source ?? '')?.[1]?.replaceAll('\\', '/');
}

/** The annotations in words. What a tool leaves out is not guessed, but said to be left out. */
export function hintWords({ hints }: KnownTool): string[] {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = hints;
  const words: string[] = [];
  if (readOnlyHint === true) words.push(l10n.t('Only reads'));
  else if (destructiveHint === true) words.push(l10n.t('May overwrite or delete'));
  else if (destructiveHint === false) words.push(l10n.t('Changes, but destroys nothing'));
  else words.push(l10n.t('Does not say what it changes'));
  if (openWorldHint === true) words.push(l10n.t('Reaches outside this machine'));
  if (idempotentHint === true && readOnlyHint !== true) {
    words.push(l10n.t('Running it again changes nothing more'));
  }
  return words;
}
