import type {
  ServerCapabilities,
  WirePrompt,
  WireResource,
  WireResourceTemplate,
  WireTool,
} from './wire';

/** Something that is not offered, or not quite as its author meant it. */
export interface ServerProblem {
  readonly kind: 'refused' | 'warning';
  /** Name of the tool, resource or prompt. */
  readonly name: string;
  /** What is wrong, with the name and the place in it. */
  readonly reason: string;
  readonly source?: string;
}

/** All that a server offers, for views, logs and tests. Plain data. */
export interface ServerDescription {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly instructions?: string;
  readonly source?: string;
  readonly stopped: boolean;
  readonly capabilities: ServerCapabilities;
  /** With the name that the model and the permission rules use. */
  readonly tools: readonly (WireTool & { readonly wireName: string; readonly source?: string })[];
  readonly resources: readonly (WireResource | WireResourceTemplate)[];
  readonly prompts: readonly WirePrompt[];
  /** Of its own. */
  readonly methods: readonly string[];
  readonly problems: readonly ServerProblem[];
}
