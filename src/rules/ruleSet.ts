import { type CommandRules, compileCommandRules } from './commandRules';
import type { RuleWorld } from './pathPattern';
import { compilePathRules, type PathRules } from './pathRules';
import {
  type Behavior,
  type PermissionRule,
  type RuleText,
  toolPattern,
  tryParseRule,
} from './permissionRule';

/** Where the rules count. All paths are absolute. */
export interface JudgeWorld extends RuleWorld {
  /** Further folders that the CLI may work in, such as those of `additionalDirectories`. */
  readonly furtherFolders?: readonly string[];
  /** Where the CLI keeps its plans. */
  readonly planFolder?: string;
  /**
   * Patchbay's own guard looks at each edit: it asks about protected places and what lies outside
   * of the workspace, whatever the rules and the mode say.
   */
  readonly isGuarded?: boolean;
  /** Patchbay's own tools, by their full names: it holds them to the mode itself. */
  readonly ownTools?: ReadonlySet<string>;
  /** Of those, which write files that only a call itself names. */
  readonly ownEditors?: ReadonlySet<string>;
  /** Tools of servers that only read, by their full names. */
  readonly readOnlyTools?: ReadonlySet<string>;
}

/** Rules about whole tools, by name, in three behaviours. */
type ByTool = Readonly<Record<Behavior, ReadonlyMap<string, PermissionRule>>>;

/** Rules, so kept that a verdict over thousands of them takes far less than a millisecond. */
export interface RuleSet {
  readonly world: JudgeWorld;
  /** The CLI's working folder and the further ones. */
  readonly folders: readonly string[];
  readonly commands: Readonly<Record<Behavior, CommandRules>>;
  readonly paths: PathRules;
  readonly tools: ByTool;
  /** By tool and what stands between the parentheses: `Skill(tidy)`, `WebFetch(domain:x)`. */
  readonly contents: Readonly<Record<Behavior, ReadonlyMap<string, readonly PermissionRule[]>>>;
  /** With a `*` in the midst of the tool's name. */
  readonly wild: Readonly<Record<Behavior, readonly WildTool[]>>;
}

interface WildTool {
  readonly regexp: RegExp;
  readonly rule: PermissionRule;
}

const BEHAVIORS = ['allow', 'ask', 'deny'] as const satisfies readonly Behavior[];

/** Takes the rules apart once; those that the CLI leaves out are left out. */
export function compileRules(rules: readonly RuleText[], world: JudgeWorld): RuleSet {
  const parsed = rules.flatMap((rule) => tryParseRule(rule) ?? []);
  const folders = [world.cwd, ...(world.furtherFolders ?? [])];
  const by = <T>(make: (own: readonly PermissionRule[]) => T): Record<Behavior, T> => {
    const [allow, ask, deny] = BEHAVIORS.map((behavior) =>
      make(parsed.filter((rule) => rule.behavior === behavior)),
    ) as [T, T, T]; // One for each of three behaviours.
    return { allow, ask, deny };
  };
  return {
    world,
    folders,
    commands: by((own) => compileCommandRules(own.filter(({ tool }) => tool === 'Bash'))),
    paths: compilePathRules(parsed, world, folders),
    tools: by((own) => firstBy(own.filter(({ content }) => content === undefined))),
    contents: by((own) => groupBy(own.filter(({ content }) => content !== undefined))),
    wild: by((own) => own.flatMap((rule) => wildTool(rule) ?? [])),
  };
}

/** The rule of one behaviour about the whole tool, also by its server: `mcp__notes`, `mcp__notes__*`. */
export function wholeToolRule(
  { tools, wild }: RuleSet,
  behavior: Behavior,
  tool: string,
): PermissionRule | undefined {
  const own = tools[behavior];
  const server = /^mcp__.+?(?=__)/.exec(tool)?.[0];
  return (
    own.get(tool) ??
    (server === undefined ? undefined : own.get(server)) ??
    wild[behavior].find(({ regexp }) => regexp.test(tool))?.rule
  );
}

/** All of a server is no pattern, see {@link wholeName}. */
function wildTool(rule: PermissionRule): WildTool | undefined {
  const name = wholeName(rule.tool);
  return name.includes('*') ? { regexp: toolPattern(name), rule } : undefined;
}

/** `mcp__notes__*` means the server, as `mcp__notes` does. */
function wholeName(tool: string): string {
  return tool.replace(/^(mcp__[^*]+)__\*$/, '$1');
}

function firstBy(rules: readonly PermissionRule[]): ReadonlyMap<string, PermissionRule> {
  return new Map([...rules].reverse().map((rule) => [wholeName(rule.tool), rule]));
}

function groupBy(rules: readonly PermissionRule[]): ReadonlyMap<string, readonly PermissionRule[]> {
  const groups = new Map<string, PermissionRule[]>();
  for (const rule of rules) {
    const group = groups.get(rule.tool);
    if (group === undefined) groups.set(rule.tool, [rule]);
    else group.push(rule);
  }
  return groups;
}
