import type { Redaction } from '../../chat/inspectorProtocol';
import { maskSecrets } from '../../base/maskSecrets';
import { isFreeField, isStructural, isStructuralName, isStructuralNote } from './contentNames';
import { isSecretBag, isSecretField, isSecretFlag } from './secretNames';

export interface RedactedFrame {
  readonly frame: unknown;
  /** Where something was left out, such as `request.servers.x.headers.Authorization`. */
  readonly places: readonly string[];
}

export interface RedactOptions extends Redaction {
  /** Values to leave out wherever they stand. */
  readonly known?: readonly string[];
}

const SECRET = '[secret]';
/** What is deeper is left out as a whole: it could not be written as JSON either. */
const MAX_DEPTH = 400;
/** No form of a secret is shorter. */
const MIN_SECRET = 8;

/** Leaves secrets and contents out of a frame; what is left keeps its shape. The frame stays as it is. */
export function redactFrame(frame: unknown, options: RedactOptions): RedactedFrame {
  const redactor = new Redactor(options);
  const redacted = redactor.value(frame, { field: '', path: '', depth: 0, mood: 'plain' });
  return { frame: redacted, places: redactor.places };
}

/** The same for a line that is no message. */
export function redactText(text: string, options: RedactOptions): string {
  const masked = options.secrets ? maskSecrets(text, options.known) : text;
  return options.contents ? hidden(masked) : masked;
}

/**
 * `secret`: all below is left out. `free`: names below say nothing, all texts are contents.
 * `notes`: the same, but for what a protocol itself puts there.
 */
type Mood = 'plain' | 'free' | 'notes' | 'secret';

interface Place {
  readonly field: string;
  readonly path: string;
  readonly depth: number;
  readonly mood: Mood;
}

class Redactor {
  readonly places: string[] = [];
  readonly #options: RedactOptions;
  readonly #known: readonly string[];

  constructor(options: RedactOptions) {
    this.#options = options;
    this.#known = options.known ?? [];
  }

  value(value: unknown, place: Place): unknown {
    if (typeof value === 'string') return this.#text(value, place);
    if (typeof value !== 'object' || value === null) {
      return place.mood === 'secret' && typeof value === 'number' ? this.#hide(place) : value;
    }
    if (place.depth >= MAX_DEPTH) return this.#hide(place, '[hidden: nested too deep]');
    return Array.isArray(value) ? this.#list(value, place) : this.#object(value, place);
  }

  #list(list: readonly unknown[], place: Place): unknown[] {
    return list.map((value, at) => {
      const isSecret = this.#options.secrets && isSecretFlag(list[at - 1]);
      const mood = isSecret ? 'secret' : place.mood;
      return this.value(value, {
        ...{ ...place, mood },
        ...{ path: `${place.path}[${at}]`, depth: place.depth + 1 },
      });
    });
  }

  #object(object: object, place: Place): object {
    const copy = {};
    let unnamed = 0;
    for (const [field, value] of Object.entries(object)) {
      const shown = this.#name(field, place);
      const name = shown ?? `[hidden name ${(unnamed += 1)}]`;
      const path = place.path === '' ? name : `${place.path}.${name}`;
      if (shown === undefined) this.places.push(path);
      const mood = this.#below(place, field, value, object);
      const inner = this.value(value, { field, path, depth: place.depth + 1, mood });
      // `__proto__` too is a field of what the CLI sends.
      Object.defineProperty(copy, name, {
        value: inner,
        ...{ enumerable: true, writable: true, configurable: true },
      });
    }
    return copy;
  }

  #below({ mood }: Place, field: string, value: unknown, object: object): Mood {
    const { secrets, contents } = this.#options;
    // A list of `{name, value}`: the name stays.
    if (mood === 'secret') return field === 'name' && 'value' in object ? 'plain' : 'secret';
    if (secrets && (isSecretBag(field) || isSecretField(field))) return 'secret';
    if (!contents) return 'plain';
    // The answer of a form, and what a linked resource is called, are the person's words.
    const isAnswer = field === 'content' && !Array.isArray(value);
    const isTitle = field === 'name' && 'uri' in object;
    if (mood === 'free' || isAnswer || isTitle || isFreeField(field)) return 'free';
    return mood === 'notes' || field === '_meta' ? 'notes' : 'plain';
  }

  /** The name as it may be shown; undefined where the name itself is left out. */
  #name(field: string, { mood }: Place): string | undefined {
    const { secrets, contents } = this.#options;
    if (contents && mood !== 'secret' && !isStructuralName(field)) return undefined;
    if (!secrets || field.length < MIN_SECRET) return field;
    return this.#masked(field) === field ? field : undefined;
  }

  #text(text: string, place: Place): string {
    const { secrets, contents } = this.#options;
    if (place.mood === 'secret') return this.#hide(place);
    if (contents && !isKept(place, text)) {
      return text === '' ? text : this.#hide(place, hidden(text));
    }
    const masked = secrets ? this.#masked(text) : text;
    return masked === text ? text : this.#hide(place, masked);
  }

  #masked(text: string): string {
    if (text.length < MIN_SECRET) return text;
    const present = this.#known.filter((value) => text.includes(value));
    return maskSecrets(text, present);
  }

  #hide({ path }: Place, shown = SECRET): string {
    this.places.push(path);
    return shown;
  }
}

/** With contents left out. */
function isKept({ mood, field }: Place, text: string): boolean {
  if (mood === 'free') return false;
  return mood === 'notes' ? isStructuralNote(field, text) : isStructural(field, text);
}

function hidden(text: string): string {
  return `[hidden: ${text.length} characters]`;
}
