import * as l10n from '@vscode/l10n';

export type Behavior = 'allow' | 'ask' | 'deny';

/** A rule as a settings file or the CLI's list has it. */
export interface RuleText {
  readonly behavior: Behavior;
  /** As it is written: `Bash(npm test:*)`. */
  readonly text: string;
  /** Where it stands: `userSettings`, `projectSettings`, `localSettings`, `cliArg`, `session` and the like. */
  readonly source: string;
}

/** A rule taken apart. */
export interface PermissionRule extends RuleText {
  /** `Agent` also where the rule says `Task`. */
  readonly tool: string;
  /** What stands between the parentheses; undefined for a rule about every use of the tool. */
  readonly content: string | undefined;
}

export type RuleParse =
  | { readonly ok: true; readonly tool: string; readonly content: string | undefined }
  /** `why` is localized. The CLI leaves such a rule out without a word. */
  | { readonly ok: false; readonly why: string };

const NAME = /^[A-Z][A-Za-z0-9]*$/;
const MCP_NAME = /^mcp__[^()\s]+$/;
/** Of several tools. Fact: in rules that deny or ask; rules that allow take it behind a server only. */
const WILD_NAME = /^[\w*]*\*[\w*]*$/;
const WILD_SERVER_TOOL = /^mcp__(?:(?!__)[^*])+__/;

/** Takes a rule apart as the CLI does, and says why it would leave it out. */
export function parseRule(text: string, behavior: Behavior = 'allow'): RuleParse {
  const rule = text.trim();
  const open = rule.indexOf('(');
  const name = open === -1 ? rule : rule.slice(0, open);
  if (rule === '') return fault(l10n.t('it is empty'));
  if (open !== -1 && !rule.endsWith(')')) {
    return fault(l10n.t('its parenthesis is not closed, or text stands behind it'));
  }
  if (name.startsWith('mcp__')) {
    if (open !== -1) return fault(l10n.t('a rule for a tool of a server takes no parentheses'));
    if (!MCP_NAME.test(name)) return fault(l10n.t('it does not name a tool'));
    if (behavior === 'allow' && name.includes('*') && !WILD_SERVER_TOOL.test(name)) {
      return fault(l10n.t('a rule that allows must name the server in full'));
    }
    return { ok: true, tool: name, content: undefined };
  }
  if (behavior !== 'allow' && open === -1 && WILD_NAME.test(name)) {
    return { ok: true, tool: name, content: undefined };
  }
  if (!NAME.test(name)) {
    return fault(l10n.t('it does not name a tool: names start with a capital letter'));
  }
  const tool = name === 'Task' ? 'Agent' : name;
  if (open === -1) return { ok: true, tool, content: undefined };
  const content = plainContent(rule.slice(open + 1, -1));
  if (content.trim() === '') return fault(l10n.t('nothing stands between its parentheses'));
  if (tool === 'WebFetch' && content !== '*' && !content.startsWith('domain:')) {
    return fault(l10n.t('it needs “domain:” and a host between its parentheses'));
  }
  return { ok: true, tool, content: content === '*' ? undefined : content };
}

/** What stands between the parentheses, without the backslashes that the CLI puts before these signs. */
export function plainContent(content: string): string {
  return content.replace(/\\([()\\])/g, '$1');
}

/** The rule, or undefined for one that the CLI leaves out. */
export function tryParseRule(rule: RuleText): PermissionRule | undefined {
  const parsed = parseRule(rule.text, rule.behavior);
  if (!parsed.ok) return undefined;
  const { behavior, text, source } = rule;
  return { behavior, text, source, tool: parsed.tool, content: parsed.content };
}

function fault(why: string): RuleParse {
  return { ok: false, why };
}

/** Whether a rule’s name, with its stars, means this tool. */
export function namesTool(name: string, tool: string): boolean {
  return name.includes('*') ? toolPattern(name).test(tool) : name === tool;
}

/** `*` stands for anything. */
export function toolPattern(name: string): RegExp {
  const source = name
    .replace(/\*+/g, '*')
    .split('*')
    .map((part) => part.replace(/[.+?^$()|\\{}[\]]/g, String.raw`\$&`))
    .join('.*');
  return new RegExp(`^${source}$`);
}
