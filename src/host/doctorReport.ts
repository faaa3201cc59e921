import { oneLine } from '../chat/boundedText';
import * as l10n from '@vscode/l10n';
import { maskSecrets } from '../base/maskSecrets';
import { isJsonObject } from '../protocol/lazySchema';
import type { CliFacts } from './doctorFacts';
import { hideInCommand, hideInWord } from './hideInCommand';

/** A setting as it is in effect. */
export interface SettingFact {
  readonly key: string;
  readonly value: unknown;
  /** Where the value comes from. */
  readonly from: 'default' | 'user' | 'workspace' | 'folder';
  /** The value there is of a wrong type, so the default is in effect. */
  readonly isInvalid: boolean;
}

export interface DoctorFacts {
  readonly cli: CliFacts;
  readonly editor: {
    readonly name: string;
    readonly version: string;
    readonly extension: string;
    /** Such as `ssh-remote`; undefined on this machine. */
    readonly remote: string | undefined;
    /** Such as `linux x64`. */
    readonly machine: string;
    readonly node: string;
  };
  readonly workspace: {
    readonly isTrusted: boolean;
    readonly isVirtual: boolean;
    /** The folder in which the agent works. */
    readonly folder: string | undefined;
  };
  /** `http.proxySupport` of the editor is off, although it has a proxy. */
  readonly isProxyOff: boolean;
  readonly settings: readonly SettingFact[];
}

type Verdict = 'good' | 'look' | 'bad';

interface Section {
  readonly title: string;
  readonly verdict: Verdict;
  readonly lines: readonly string[];
  /** What to do. */
  readonly todo?: string | undefined;
}

/** The doctor's report as markdown, with secrets and the home folder taken out. Pure. */
export function doctorReport(facts: DoctorFacts): string {
  const sections = [
    cliSection(facts),
    versionSection(facts),
    loginSection(facts),
    filesSection(facts),
    networkSection(facts),
    shellSection(facts),
    gitSection(facts),
    workspaceSection(facts),
    settingsSection(facts),
    hooksSection(facts),
    editorSection(facts),
  ];
  const text = [
    `# ${l10n.t('Patchbay doctor')}`,
    summary(sections),
    l10n.t('Secrets and your home folder are left out, so the report can be copied as it is.'),
    ...sections.map(sectionText),
  ].join('\n\n');
  return redact(`${text}\n`, facts);
}

function summary(sections: readonly Section[]): string {
  const ill = sections.filter(({ verdict }) => verdict !== 'good');
  return ill.length === 0
    ? l10n.t('All is well.')
    : l10n.t('To look at: {0}.', ill.map(({ title }) => title).join(', '));
}

function sectionText({ title, verdict, lines, todo }: Section): string {
  const body = [...lines.map((line) => `- ${line}`)];
  if (todo !== undefined) body.push('', `**${l10n.t('What to do')}**: ${todo}`);
  return [`## ${title}: ${verdictWord(verdict)}`, '', ...body].join('\n');
}

function verdictWord(verdict: Verdict): string {
  const words: Readonly<Record<Verdict, string>> = {
    good: l10n.t('good'),
    look: l10n.t('worth a look'),
    bad: l10n.t('does not work'),
  };
  return words[verdict];
}

function cliSection({ cli: { cli } }: DoctorFacts): Section {
  const title = l10n.t('CLI');
  if (cli.found) {
    const tried = cli.tried.map((line) => `  - ${line}`).join('\n');
    return {
      title,
      verdict: 'good',
      lines: [l10n.t('Chosen: {0}', cli.why), `${l10n.t('Looked at, in order:')}\n${tried}`],
    };
  }
  const details = cli.details?.split('\n').slice(1) ?? [];
  const tried = details.map((line) => `  - ${line}`).join('\n');
  return {
    title,
    verdict: 'bad',
    lines: [cli.message, ...(tried === '' ? [] : [`${l10n.t('Looked at, in order:')}\n${tried}`])],
    todo: cli.next,
  };
}

function versionSection({ cli }: DoctorFacts): Section {
  const title = l10n.t('Version and flags');
  if (!cli.cli.found)
    return { title, verdict: 'look', lines: [l10n.t('Not asked without a CLI.')] };
  const flags =
    cli.droppedFlags === ''
      ? l10n.t('It takes every flag that Patchbay gives.')
      : l10n.t('Flags left out since it does not know them: {0}', cli.droppedFlags);
  const lines = [l10n.t('Version: {0}', cli.version ?? l10n.t('unknown')), flags];
  if (cli.version === undefined) {
    const todo = l10n.t('Run it with --version in a terminal; it should print a number.');
    return { title, verdict: 'look', lines, todo };
  }
  return cli.droppedFlags === ''
    ? { title, verdict: 'good', lines }
    : { title, verdict: 'look', lines, todo: l10n.t('Update the CLI.') };
}

function loginSection({ cli: { login } }: DoctorFacts): Section {
  const title = l10n.t('Login');
  switch (login) {
    case 'yes':
      return { title, verdict: 'good', lines: [l10n.t('The CLI says that it is logged in.')] };
    case 'no':
      return {
        title,
        verdict: 'bad',
        lines: [l10n.t('The CLI says that it is not logged in.')],
        todo: l10n.t(
          'Run "claude auth login" in a terminal, or set the variables of your gateway.',
        ),
      };
    case 'unknown':
      return {
        title,
        verdict: 'look',
        lines: [l10n.t('The CLI did not say whether it is logged in.')],
        todo: l10n.t('Run "claude auth status" in a terminal and read what it says.'),
      };
    case 'notAsked':
      return {
        title,
        verdict: 'look',
        lines: [l10n.t('Not asked: there is no CLI, or it has no command for it.')],
      };
  }
}

function filesSection({ cli: { configProblems } }: DoctorFacts): Section {
  const title = l10n.t('Files of the CLI');
  if (configProblems.length > 0) return { title, verdict: 'look', lines: configProblems };
  const line = l10n.t('Its settings can be read, and its folder can be written.');
  return { title, verdict: 'good', lines: [line] };
}

function networkSection({ cli, isProxyOff }: DoctorFacts): Section {
  const names = cli.variables.length === 0 ? l10n.t('none') : cli.variables.join(', ');
  const problems = cli.networkProblems.map((problem) =>
    problem === 'certificatesMissing'
      ? l10n.t('NODE_EXTRA_CA_CERTS names a file that is not there.')
      : l10n.t('NODE_TLS_REJECT_UNAUTHORIZED is 0, so certificates are not checked.'),
  );
  if (isProxyOff) {
    problems.push(l10n.t('http.proxy is set, but http.proxySupport is off: it is not handed on.'));
  }
  return {
    title: l10n.t('Network'),
    verdict: problems.length === 0 ? 'good' : 'look',
    lines: [l10n.t('Variables that the CLI gets (names only): {0}', names), ...problems],
    todo:
      problems.length === 0
        ? undefined
        : l10n.t('Correct the variable or the setting, then start a new conversation.'),
  };
}

function shellSection({ cli: { shell } }: DoctorFacts): Section {
  const title = l10n.t('Login shell');
  const name = shell.name ?? l10n.t('none');
  const lines = [l10n.t('Shell: {0}; {1}', name, shell.note)];
  if (shell.told || shell.name === undefined) return { title, verdict: 'good', lines };
  const todo = l10n.t(
    'Its profile may wait for input or take too long. Programs that only it knows are not found; name the CLI in patchbay.cli.path.',
  );
  return { title, verdict: 'look', lines, todo };
}

function gitSection({ cli: { git } }: DoctorFacts): Section {
  const title = l10n.t('Git');
  if (git !== undefined) return { title, verdict: 'good', lines: [git] };
  return {
    title,
    verdict: 'look',
    lines: [l10n.t('Git was not found on the PATH of the CLI.')],
    todo: l10n.t('Install Git, if the agent should work with it.'),
  };
}

function workspaceSection({ workspace }: DoctorFacts): Section {
  const title = l10n.t('Workspace');
  const lines = [
    l10n.t('Folder of the agent: {0}', workspace.folder ?? l10n.t('none')),
    workspace.isTrusted
      ? l10n.t('The workspace is trusted.')
      : l10n.t('The workspace is not trusted.'),
  ];
  if (workspace.folder === undefined) {
    const todo = workspace.isVirtual
      ? l10n.t('Open a folder on a disk, on this or on a remote machine.')
      : l10n.t('Open a folder.');
    return { title, verdict: 'bad', lines, todo };
  }
  if (workspace.isTrusted) return { title, verdict: 'good', lines };
  const todo = l10n.t('Trust the workspace, if the agent should write or run commands in it.');
  return { title, verdict: 'look', lines, todo };
}

/** Shown from where they stand: the CLI does not tell when it runs one. */
function hooksSection({ cli: { hooks } }: DoctorFacts): Section {
  const lines = hooks.map(({ event, matcher, runs, file }) =>
    l10n.t(
      '{0}: {1} (in {2})',
      matcher === '' ? event : `${event} ${code(matcher)}`,
      code(oneLine(hideInCommand(runs), 200)),
      code(file),
    ),
  );
  return {
    title: l10n.t('Hooks of the agent'),
    verdict: 'good',
    lines:
      lines.length === 0
        ? [l10n.t('Its settings name none.')]
        : [l10n.t('It runs these by itself, and does not tell when:'), ...lines],
  };
}

function settingsSection({ settings }: DoctorFacts): Section {
  const invalid = settings.filter(({ isInvalid }) => isInvalid);
  return {
    title: l10n.t('Settings in effect'),
    verdict: invalid.length === 0 ? 'good' : 'look',
    lines: settings.map(settingLine),
    todo:
      invalid.length === 0
        ? undefined
        : l10n.t('Correct the type of: {0}', invalid.map(({ key }) => key).join(', ')),
  };
}

function settingLine({ key, value, from, isInvalid }: SettingFact): string {
  const origins: Readonly<Record<SettingFact['from'], string>> = {
    default: l10n.t('default'),
    user: l10n.t('user or machine settings'),
    workspace: l10n.t('workspace settings'),
    folder: l10n.t('folder settings'),
  };
  const origin = isInvalid ? invalidOrigin(value) : origins[from];
  return `\`${key}\` = ${code(JSON.stringify(hideValues(key, value)))} (${origin})`;
}

function invalidOrigin(value: unknown): string {
  const isPart = isJsonObject(value) && Object.keys(value).length > 0;
  return isPart
    ? l10n.t('without what is of a wrong type')
    : l10n.t('default, since the value is of a wrong type');
}

/** What stands in an environment or behind a flag's name may be anything: only names are shown. */
function hideValues(key: string, value: unknown): unknown {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.fromEntries(Object.keys(value).map((name) => [name, '•••']));
  }
  if (Array.isArray(value) && key.startsWith('patchbay.cli.')) {
    return value.map((entry: unknown, at) => {
      if (typeof entry !== 'string') return entry;
      // Its value may be a word of its own.
      if (isFlag(value[at - 1]) && !entry.startsWith('-')) return '•••';
      if (GLUED.test(entry)) return `${entry.slice(0, 2)}•••`;
      return hideInWord(entry);
    });
  }
  return value;
}

/** `-pSECRET`: a value may stand right behind a short option. Of a few letters it is more options. */
const GLUED = /^-[A-Za-z][^=\s]{3,}$/;

function isFlag(entry: unknown): boolean {
  return typeof entry === 'string' && /^-[^=]+$/.test(entry);
}

function editorSection({ editor }: DoctorFacts): Section {
  return {
    title: l10n.t('Editor'),
    verdict: 'good',
    lines: [
      `${editor.name} ${editor.version}, Patchbay ${editor.extension}, Node ${editor.node}`,
      l10n.t('Machine: {0}; remote: {1}', editor.machine, editor.remote ?? l10n.t('no')),
    ],
  };
}

function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  return `${fence}${text}${fence}`;
}

function redact(text: string, { cli: { secrets, home } }: DoctorFacts): string {
  const masked = maskSecrets(text, secrets.flatMap(writings));
  return home.length > 1 ? writings(home).reduce(withoutHome, masked) : masked;
}

/** As it is, and as it stands in JSON, with more backslashes. */
function writings(value: string): readonly string[] {
  return [JSON.stringify(value).slice(1, -1), value];
}

/** The folder of somebody else may begin with the same letters. Windows writes a drive in either case. */
function withoutHome(text: string, home: string): string {
  const name = home.replace(/[.*+?^$()|[\]{}\\]/g, String.raw`\$&`);
  const flags = /^[A-Za-z]:/.test(home) ? 'gi' : 'g';
  return text.replace(
    new RegExp(`${name}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}_])`, `${flags}u`),
    '~',
  );
}
