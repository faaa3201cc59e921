import type { SettingsPlaces } from '../../../src/chat/lastingGrant';
import { createPermissionCard, type PermissionCardOptions } from '../../../src/chat/permissionCard';
import type { PermissionRequest } from '../../../src/chat/permissionRequest';
import type { PermissionCard, ViewState } from '../../../src/chat/viewStateProtocol';
import { workState } from './states';

const SETTINGS: SettingsPlaces = {
  files: {
    alwaysLocal: '.claude/settings.local.json',
    alwaysProject: '.claude/settings.json',
    alwaysUser: '~/.claude/settings.json',
  },
  isTrusted: false,
};

const CART = [
  'import { orderTotal } from "./pricing";',
  '',
  'export function cartLine(o: Order): string {',
  '  const t = calcTotal(o);',
  '  return format(t);',
  '}',
  '',
].join('\n');

/** A card as the host makes it for a request of the CLI. */
export function cardOf(
  requestId: string,
  request: PermissionRequest,
  options: Partial<PermissionCardOptions> = {},
): PermissionCard {
  const folder = '/home/me/shop';
  return createPermissionCard({ requestId, request, folder, settings: SETTINGS, ...options });
}

export function commandCard(id = 'c1', command = 'npm test -- --update report'): PermissionCard {
  return cardOf(id, {
    tool_name: 'Bash',
    input: { command, description: 'Run the tests and write the snapshot anew' },
    permission_suggestions: [
      {
        type: 'addRules',
        rules: [{ toolName: 'Bash', ruleContent: 'npm test *' }],
        behavior: 'allow',
        destination: 'localSettings',
      },
    ],
  });
}

export function editCard(): PermissionCard {
  const file_path = '/home/me/shop/src/cart.ts';
  return cardOf(
    'c2',
    {
      tool_name: 'Edit',
      input: { file_path, old_string: 'calcTotal(o)', new_string: 'orderTotal(o)' },
      permission_suggestions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
    },
    { currentText: CART },
  );
}

export function outsideCard(): PermissionCard {
  const input = { file_path: '/home/me/shop/link/hosts', content: '127.0.0.1 shop.test\n' };
  return cardOf(
    'c3',
    {
      ...{ tool_name: 'Write', input, decision_reason_type: 'hook' },
      decision_reason: '/home/me/shop/link/hosts leads to /etc/hosts, outside the workspace.',
    },
    { currentText: undefined, place: { isOutside: true, leadsTo: '/etc/hosts' } },
  );
}

export function fetchCard(): PermissionCard {
  return cardOf('c4', {
    tool_name: 'WebFetch',
    input: { url: 'http://docs.ex\u0430mple.org/guide?version=2', prompt: 'What changed?' },
    permission_suggestions: [
      {
        type: 'addRules',
        rules: [{ toolName: 'WebFetch', ruleContent: 'domain:xn--docs.exmple-3of.org' }],
        behavior: 'allow',
        destination: 'localSettings',
      },
    ],
  });
}

export function ownToolCard(): PermissionCard {
  const tool_name = 'mcp__deploy__publish';
  const known = {
    title: 'Publish a build',
    server: 'deploy',
    hints: { destructiveHint: true, openWorldHint: true },
  };
  return cardOf(
    'c5',
    { tool_name, input: { target: 'staging', build: 4711, notes: 'From the panel' } },
    { knownTools: new Map([[tool_name, known]]), toolTitles: new Map([[tool_name, known.title]]) },
  );
}

export function longCommandCard(): PermissionCard {
  const lines = Array.from({ length: 40 }, (_, i) => `echo "step ${i}" >> build.log`);
  return commandCard('c6', ['set -e', ...lines, 'rm -rf \u202Edist'].join('\n'));
}

/** A conversation that waits for these. */
export function cardState(...permissions: readonly PermissionCard[]): ViewState {
  const state = workState();
  return {
    ...state,
    items: state.items.slice(0, 1),
    queue: [],
    permissions,
  };
}

/** More requests than anybody reads at once. */
export function manyCards(count: number): PermissionCard[] {
  return Array.from({ length: count }, (_, i) => commandCard(`m${i}`, `node step${i}.mjs`));
}
