import * as l10n from '@vscode/l10n';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage, UserFacingError } from '../base/errors';
import { type LinesTarget, type Mention, readings, tryParseLines } from '../chat/mentions';
import { tryParseNamed } from '../chat/namedMentions';
import type { PromptBlock } from '../protocol/outboundRequests';
import type { BuffersPort, MentionSourcesPort } from './conversationPorts';
import type { ExpandedMention } from './expandedMention';
import { expandNamed, isKnown } from './expandNamed';
import { attachedText, pieceOfContents, shownPart } from './promptBlocks';
import type { ReadDenials } from './readDenials';
import type { ServerOffers } from './serverOffers';

export interface MentionPorts {
  readonly offers: ServerOffers;
  /** The folder in which the CLI works. */
  readonly cwd: string;
  readonly buffers: Pick<BuffersPort, 'read'>;
  readonly sources: MentionSourcesPort | undefined;
  /** Starts the CLI where none runs, since it knows the rules. */
  readonly denials: () => Promise<ReadDenials>;
}

/** What is read at most of a file of which lines are mentioned, in characters. */
const MAX_LINES_TEXT = 200_000;
/** Bytes of a file that is read whole for that. */
const MAX_FILE = 50 * 1024 * 1024;

/**
 * Reads what a mention names. Undefined for what the CLI reads itself, which is a file, and for what
 * is no mention at all but a word with an `@`.
 * @throws UserFacingError for what must not or cannot be read
 */
export async function expandMention(
  mention: Mention,
  ports: MentionPorts,
  signal: AbortSignal,
): Promise<ExpandedMention | undefined> {
  for (const target of readings(mention)) {
    const found =
      (await mentionedName(target, ports)) ??
      (await mentionedResource(target, mention, ports, signal)) ??
      (await mentionedFile(target, ports));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a mention names what is attached here: a resource, a thing with a name, or lines of a file that is there. */
export async function wouldAttach(
  mention: Mention,
  { offers, sources, cwd }: Pick<MentionPorts, 'offers' | 'sources' | 'cwd'>,
): Promise<boolean> {
  for (const target of readings(mention)) {
    if (offers.has(target.slice(0, Math.max(target.indexOf(':'), 0)))) return true;
    const named = tryParseNamed(target);
    if (named !== undefined && isKnown(named, sources)) return true;
    const lines = tryParseLines(target);
    if (lines !== undefined && (await exists(path.resolve(cwd, lines.path)))) return true;
  }
  return false;
}

/** `notes:note://milk`, where notes is a server of ours. */
async function mentionedResource(
  target: string,
  mention: Mention,
  { offers }: MentionPorts,
  signal: AbortSignal,
): Promise<ExpandedMention | undefined> {
  const at = target.indexOf(':');
  const server = target.slice(0, Math.max(at, 0));
  const uri = target.slice(at + 1);
  if (at < 1 || uri === '' || !offers.has(server)) return undefined;
  // In `@notes:note://milk.` the point may be the sentence's.
  const uris = readings({ ...mention, target: uri });
  let fault: unknown;
  for (const one of uris) {
    try {
      return await readResource(server, one, offers, signal);
    } catch (error) {
      if (signal.aborted || error instanceof UserFacingError) throw error;
      fault ??= error;
    }
  }
  const reason = errorMessage(fault);
  throw new UserFacingError(l10n.t('{0} of {1} could not be read: {2}', uri, server, reason));
}

async function readResource(
  server: string,
  uri: string,
  offers: ServerOffers,
  signal: AbortSignal,
): Promise<ExpandedMention> {
  const contents = await offers.readResource(server, uri, signal);
  const what = l10n.t('{0} of {1}', uri, server);
  if (contents.length === 0) throw new Error(l10n.t('it is empty.'));
  const pieces = contents.map((one) => pieceOfContents(one, server, what));
  // A picture has no place for its URI.
  const blocks = pieces.flatMap(({ block }): PromptBlock[] =>
    block.type === 'text' ? [block] : [attachedText({ server, uri }, 'The picture below.'), block],
  );
  return { blocks, parts: [shownPart(what, pieces.map(({ shown }) => shown).join('\n\n'))] };
}

async function mentionedName(
  target: string,
  { sources, denials, cwd }: MentionPorts,
): Promise<ExpandedMention | undefined> {
  const named = tryParseNamed(target);
  return named === undefined || sources === undefined
    ? undefined
    : expandNamed(named, { sources, denials, cwd });
}

async function mentionedFile(
  target: string,
  ports: MentionPorts,
): Promise<ExpandedMention | undefined> {
  const whole = plainPath(target);
  const file = path.resolve(ports.cwd, whole);
  if (await exists(file)) {
    await refuseDenied(file, target, ports);
    return { blocks: [], parts: [] };
  }
  const lines = tryParseLines(target);
  return lines === undefined ? undefined : mentionedLines(lines, ports);
}

async function mentionedLines(
  { path: name, from, to }: LinesTarget,
  ports: MentionPorts,
): Promise<ExpandedMention | undefined> {
  const file = path.resolve(ports.cwd, name);
  const size = await sizeOf(file);
  if (size === undefined) return undefined;
  await refuseDenied(file, name, ports);
  if (size > MAX_FILE) {
    throw new UserFacingError(l10n.t('{0} is too long to be read for a few lines.', name));
  }
  const text = await ports.buffers.read(file);
  const where = from === to ? `${from}` : `${from}-${to}`;
  const wanted = text?.split(/\r\n?|\n/u).slice(from - 1, to);
  if (wanted === undefined || wanted.length === 0) {
    throw new UserFacingError(l10n.t('{0} has no line {1}.', name, where));
  }
  const part = wanted.join('\n');
  if (part.length > MAX_LINES_TEXT) {
    throw new UserFacingError(
      l10n.t('The lines {0} of {1} are too long to be attached.', where, name),
    );
  }
  return {
    blocks: [attachedText({ file: name, lines: where }, part)],
    parts: [shownPart(`${name}:${where}`, part)],
  };
}

/** The CLI takes lines of a file as `src/a.ts#L3-9`. */
function plainPath(target: string): string {
  return target.replace(/#L\d+(?:-L?\d+)?$/u, '');
}

/** What the person has forbidden: of such a file the CLI says no word, and of the setting it knows nothing. */
async function refuseDenied(
  file: string,
  name: string,
  { denials, sources }: MentionPorts,
): Promise<void> {
  const glob = await sources?.ignored?.(file);
  if (glob !== undefined) {
    throw new UserFacingError(
      l10n.t('{0} is not attached: the setting patchbay.ignore ({1}) keeps it back.', name, glob),
      { next: l10n.t('Take the mention out, or change the setting.') },
    );
  }
  const rule = await (await denials())(file);
  if (rule === undefined) return;
  throw new UserFacingError(
    l10n.t('{0} is not attached: the rule {1} forbids reading it.', name, rule),
    { next: l10n.t('Take the mention out, or change the rule.') },
  );
}

/** Undefined for what is no file. */
function sizeOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    (found) => (found.isFile() ? found.size : undefined),
    () => undefined,
  );
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
