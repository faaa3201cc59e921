import * as l10n from '@vscode/l10n';
import { pathsOfCommand } from './commandFiles';
import { type Finding, inMode, type Judgement, ruleFinding } from './finding';
import { judgeCommand } from './judgeCommand';
import { absolutePath, judgeEdit, judgeRead, type RealPaths } from './judgePath';
import type { PermissionMode } from './modes';
import { type Behavior, type PermissionRule, toolPattern } from './permissionRule';
import { type JudgeWorld, type RuleSet, wholeToolRule } from './ruleSet';
import { mayChangeToolFiles } from './shellGuard';

/** A call of a tool as the model would make it. */
export interface JudgedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Where the paths of {@link pathsOfCall} lead, as far as that is known. */
  readonly realPaths?: RealPaths;
}

/** The input's field that names the file. */
const EDITORS: Readonly<Record<string, string>> = {
  Edit: 'file_path',
  Write: 'file_path',
  NotebookEdit: 'notebook_path',
};

/** Built-in tools that the CLI lets run without asking. Fact: seen with the real CLI. */
const FREE = new Set('Agent CronList EnterPlanMode TaskStop ToolSearch Skill'.split(' '));
/** Those that wait for the person by their nature. */
const PERSON = new Set(['AskUserQuestion', 'ExitPlanMode']);

/**
 * What happens to a call. `allow` is said only where it is sure. Facts: a rule that denies outweighs
 * one that asks, that one a rule that allows, whatever their sources; then comes the mode.
 */
export function judge(call: JudgedCall, rules: RuleSet, mode: PermissionMode): Judgement {
  const tool = call.tool === 'Task' ? 'Agent' : call.tool;
  const denied = wholeToolRule(rules, 'deny', tool);
  if (denied) return inMode(ruleFinding('denied', denied), mode);
  const finding = findingOf({ ...call, tool }, rules, mode);
  const asked = wholeToolRule(rules, 'ask', tool);
  const isHeld = asked?.tool.includes('*') === true && !/^(?:denied|open)$/.test(finding.kind);
  const settled = isHeld ? ruleFinding('asked', asked) : finding;
  return judgedByUs(settled, tool, rules.world, mode) ?? inMode(settled, mode);
}

/**
 * What Patchbay itself decides before the CLI's mode has a say: in plan mode it refuses what changes
 * something by an editing tool or one of its own, but for tool files, about which it asks in every mode,
 * and its own tools that only read always run.
 */
function judgedByUs(
  finding: Finding,
  tool: string,
  { isGuarded = false, ownTools, ownEditors }: JudgeWorld,
  mode: PermissionMode,
): Judgement | undefined {
  const { kind, rule } = finding;
  const isOwn = ownTools?.has(tool) === true;
  const isHeld =
    isGuarded && (EDITORS[tool] !== undefined || (tool === 'Bash' && kind === 'person'));
  if (kind === 'denied' || !(isOwn || isHeld)) return undefined;
  const isRead = isOwn && finding.isChange !== true;
  if (isRead) {
    return kind === 'asked'
      ? undefined
      : { verdict: 'allow', rule, why: l10n.t('Patchbay’s own tools that only read always run.') };
  }
  if (ownEditors?.has(tool) === true && mode !== 'plan' && kind !== 'asked') {
    return {
      verdict: 'unknown',
      rule,
      why: l10n.t('It hangs on the files that such a call writes.'),
    };
  }
  // The plan file is no change of the person's files.
  if (
    mode !== 'plan' ||
    finding.isOfToolFiles === true ||
    (kind === 'allowed' && finding.isChange !== true)
  )
    return undefined;
  const why =
    ownEditors?.has(tool) === true
      ? l10n.t('In plan mode Patchbay refuses every change, and asks about one of .patchbay.')
      : l10n.t('In plan mode Patchbay refuses every change.');
  return { verdict: 'deny', rule, why };
}

function findingOf(call: JudgedCall, rules: RuleSet, mode: PermissionMode): Finding {
  const { tool, input, realPaths } = call;
  if (tool === 'Bash') {
    const finding = guardedCommand(textOf(input.command), rules, realPaths);
    // Fact: broad rules may not count in this mode.
    const isBroad =
      mode === 'auto' && finding.rule?.behavior === 'allow' && finding.rule.content === undefined;
    return isBroad ? { ...finding, kind: 'open', rule: undefined } : finding;
  }
  const field = tool === 'Read' ? 'file_path' : EDITORS[tool];
  if (field === undefined) return judgeOther(call, rules);
  const file = textOf(input[field]);
  if (file === '') return missing(field);
  const path = absolutePath(file, rules);
  return tool === 'Read'
    ? judgeRead(path, rules, realPaths)
    : judgeWith(tool, path, rules, realPaths);
}

/** Patchbay itself asks about a line that may change tool files, whatever the rules and the mode say. */
function guardedCommand(line: string, rules: RuleSet, realPaths?: RealPaths): Finding {
  const finding = judgeCommand(line, rules, realPaths);
  const { isGuarded = false, cwd } = rules.world;
  if (finding.kind === 'denied' || !isGuarded || !mayChangeToolFiles('Bash', line, cwd)) {
    return finding;
  }
  const why = l10n.t('It names .patchbay, whose files run inside the editor.');
  return { kind: 'person', why, isChange: true, isOfToolFiles: true };
}

/** Rules about the tool as a whole come beside those about the file. */
function judgeWith(tool: string, path: string, rules: RuleSet, real?: RealPaths): Finding {
  const unread = wholeToolRule(rules, 'deny', 'Read');
  if (unread) return ruleFinding('denied', unread);
  const finding = judgeEdit(path, rules, real);
  if (finding.kind !== 'plain' && finding.kind !== 'editInside') return finding;
  const asked = wholeToolRule(rules, 'ask', tool);
  if (asked) return ruleFinding('asked', asked);
  const allowed = wholeToolRule(rules, 'allow', tool);
  return allowed ? ruleFinding('allowed', allowed, true) : finding;
}

function judgeOther({ tool, input }: JudgedCall, rules: RuleSet): Finding {
  for (const [behavior, kind] of [
    ['deny', 'denied'],
    ['ask', 'asked'],
    ['allow', 'allowed'],
  ] as const) {
    const rule = contentRule(rules, behavior, tool, input) ?? wholeToolRule(rules, behavior, tool);
    if (rule) return ruleFinding(kind, rule, isChange(tool, rules));
    const maybe = tool === 'WebFetch' ? mayBeHost(rules, behavior, input) : undefined;
    if (maybe) return { kind: 'open', rule: maybe, why: l10n.t('A rule may mean this address.') };
  }
  if (PERSON.has(tool)) return { kind: 'person', why: l10n.t('It is a question to you.') };
  if (FREE.has(tool))
    return { kind: 'allowed', why: l10n.t('The agent runs this tool without asking.') };
  if (tool.startsWith('mcp__') || tool === 'WebFetch' || tool === 'WebSearch') {
    return {
      kind: 'plain',
      isChange: isChange(tool, rules),
      why: l10n.t('No rule says anything about it.'),
    };
  }
  return { kind: 'open', why: l10n.t('It is not known how the agent treats this tool.') };
}

function isChange(tool: string, { world }: RuleSet): boolean {
  return tool.startsWith('mcp__') && world.readOnlyTools?.has(tool) !== true;
}

function contentRule(
  rules: RuleSet,
  behavior: Behavior,
  tool: string,
  input: JudgedCall['input'],
): PermissionRule | undefined {
  const own = rules.contents[behavior].get(tool);
  if (own === undefined) return undefined;
  switch (tool) {
    case 'WebFetch': {
      const host = hostOf(textOf(input.url));
      return host === undefined ? undefined : own.find(({ content = '' }) => isHost(content, host));
    }
    case 'Agent':
      return own.find(({ content }) => content === textOf(input.subagent_type));
    case 'Skill': {
      const name = textOf(input.skill).replace(/^\//, '');
      return own.find(({ content = '' }) => {
        const text = content.replace(/^\//, '');
        return text === name || (text.endsWith(':*') && name.startsWith(text.slice(0, -2)));
      });
    }
    default:
      return undefined;
  }
}

/** Fact: `*.x.y` covers names of any depth below `x.y`, and not itself. Points at the end go. */
function isHost(content: string, host: string): boolean {
  // Fact: with a space in it a rule fits nothing.
  const domain = content.slice('domain:'.length).toLowerCase();
  return domain.startsWith('*.')
    ? host.endsWith(domain.slice(1)) && !host.startsWith('.')
    : host === domain;
}

/** Fact: of other patterns than `*.x.y` the CLI takes some, such as `*x.y`, and leaves others. */
function mayBeHost(
  { contents }: RuleSet,
  behavior: Behavior,
  input: JudgedCall['input'],
): PermissionRule | undefined {
  const host = hostOf(textOf(input.url));
  return contents[behavior].get('WebFetch')?.find(({ content = '' }) => {
    const domain = content.slice('domain:'.length).toLowerCase();
    const isOther = domain.includes('*') && !/^\*\.[^*]*$/.test(domain);
    return host !== undefined && isOther && toolPattern(domain).test(host);
  });
}

/** The host that is asked, by the parser that the CLI has too: `http:\\a`, `http://%61` and the like are its. */
function hostOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const host = new URL(url).hostname.toLowerCase().replace(/\.+$/, '');
  return host === '' ? undefined : host;
}

function missing(field: string): Finding {
  return { kind: 'open', why: l10n.t('The input has no {0}.', field) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Absolute paths that a call names. Whoever can look at the disk hands over where they lead. */
export function pathsOfCall({ tool, input }: JudgedCall, rules: RuleSet): readonly string[] {
  if (tool === 'Bash') return pathsOfCommand(textOf(input.command), rules);
  const field = tool === 'Read' ? 'file_path' : EDITORS[tool];
  const file = field === undefined ? '' : textOf(input[field]);
  return file === '' ? [] : [absolutePath(file, rules)];
}
