import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as z from 'zod/mini';
import { commands } from '../../../src/host/commands';
import { contextKeys } from '../../../src/host/contextKeys';
import { initialModes, notificationTimes, sendKeys, settings } from '../../../src/host/settings';
import type { RowAction } from '../../../src/host/toolRows';
import { chatPanelType, views } from '../../../src/host/views';
import { inRoot } from '../../harness/paths';

/** So that a new action has to be thought of here. */
const ROW_ACTIONS: Readonly<Record<RowAction, true>> = {
  ...{ approve: true, withdraw: true, switchOn: true, switchOff: true, reconnect: true },
  ...{ review: true, forget: true, openSource: true, showLog: true, revoke: true },
  ...{ run: true, showModel: true, openFile: true, openSetting: true },
};

const when = z.object({ command: z.string(), when: z.optional(z.string()) });
const manifestSchema = z.object({
  icon: z.string(),
  extensionKind: z.array(z.string()),
  activationEvents: z.array(z.string()),
  capabilities: z.object({
    untrustedWorkspaces: z.object({
      supported: z.literal('limited'),
      restrictedConfigurations: z.array(z.string()),
    }),
    virtualWorkspaces: z.object({ supported: z.literal('limited') }),
  }),
  contributes: z.object({
    viewsContainers: z.record(z.string(), z.array(z.record(z.string(), z.string()))),
    views: z.record(z.string(), z.array(z.record(z.string(), z.string()))),
    commands: z.array(z.record(z.string(), z.string())),
    menus: z.record(z.string(), z.array(when)),
    keybindings: z.array(when),
    configuration: z.object({
      properties: z.record(
        z.string(),
        z.looseObject({
          default: z.unknown(),
          scope: z.string(),
          enum: z.optional(z.array(z.string())),
          enumDescriptions: z.optional(z.array(z.string())),
        }),
      ),
    }),
  }),
});

const text = readFileSync(inRoot('package.json'), 'utf8');
const manifest = manifestSchema.parse(JSON.parse(text));
const { contributes, capabilities } = manifest;
const properties = contributes.configuration.properties;
const allSettings = Object.values(settings);

test('package.json contributes exactly the commands of the table, with their titles and icons', () => {
  const expected = Object.values(commands).map(({ id, titleKey, icon }) => ({
    command: id,
    title: `%${titleKey}%`,
    category: '%command.category%',
    ...(icon && { icon }),
  }));
  assert.deepEqual(contributes.commands, expected);
});

test('the palette offers each command when the table says so', () => {
  const expected = Object.values(commands).flatMap(({ id, paletteWhen }) =>
    paletteWhen === undefined ? [] : [{ command: id, when: paletteWhen }],
  );
  assert.deepEqual(contributes.menus.commandPalette, expected);
});

test('menus and keys name commands of the table only', () => {
  const ids = new Set(Object.values(commands).map(({ id }) => id));
  const used = [...Object.values(contributes.menus).flat(), ...contributes.keybindings];
  assert.deepEqual(
    used.filter(({ command }) => !ids.has(command)),
    [],
  );
});

test('stop has a key that works only while a turn runs, and the person can change it', () => {
  const stop = contributes.keybindings.filter(({ command }) => command === commands.stop.id);
  assert.deepEqual(
    stop.map((binding) => binding.when),
    [contextKeys.turnRunning],
  );
});

test('the mode has a key that works only in the chat, and is not the one that moves the focus back', () => {
  const [round] = contributes.keybindings.filter(
    ({ command }) => command === commands.cycleMode.id,
  );
  // A view that is a web page sets no context of its own focus: told by what has it not.
  assert.match(
    round?.when ?? '',
    /^!editorTextFocus && !terminalFocus && !inputFocus && !listFocus/,
  );
  for (const place of [`workbench.view.extension.${views.container.id}`, chatPanelType]) {
    assert.ok(round?.when?.includes(`== ${place}`), place);
  }
  assert.ok(!text.includes('shift+tab'));
});

test('when clauses use the context keys and views that exist', () => {
  const known = new Set<string>([...Object.values(contextKeys), views.chat.id, views.tools.id]);
  const clauses = [...Object.values(contributes.menus).flat(), ...contributes.keybindings].map(
    (entry) => entry.when ?? '',
  );
  const named = clauses.flatMap((clause) => clause.match(/patchbay\.[\w.]+/g) ?? []);
  assert.ok(named.length > 0);
  assert.deepEqual(
    named.filter((name) => !known.has(name)),
    [],
  );
});

test('package.json contributes the views and their container; the tools are folded', () => {
  const { container, chat, tools } = views;
  assert.deepEqual(contributes.viewsContainers, {
    activitybar: [{ id: container.id, title: `%${container.titleKey}%`, icon: container.icon }],
  });
  assert.deepEqual(contributes.views, {
    [container.id]: [
      { type: 'webview', id: chat.id, name: `%${chat.nameKey}%`, icon: chat.icon },
      { id: tools.id, name: `%${tools.nameKey}%`, icon: tools.icon, visibility: 'collapsed' },
    ],
  });
});

test('menus of the rows of tools ask for words that rows have', () => {
  const words = contributes.menus['view/item/context']?.flatMap(
    ({ when: clause = '' }) =>
      /viewItem =~ \/\\b\(?([\w|]+)\)?\\b\//.exec(clause)?.[1]?.split('|') ?? [],
  );
  const known = Object.keys(ROW_ACTIONS);
  assert.deepEqual([...new Set(words)].sort(), known.sort());
});

test('a tab that a reload left wakes the extension', () => {
  assert.ok(manifest.activationEvents.includes(`onWebviewPanel:${chatPanelType}`));
  assert.ok(!manifest.activationEvents.includes('*'));
});

test('package.json contributes exactly the settings of the table, with defaults and scopes', () => {
  const shape = (key: string, fallback: unknown, scope: string) => ({ key, fallback, scope });
  assert.deepEqual(
    Object.entries(properties).map(([key, { default: value, scope }]) => shape(key, value, scope)),
    allSettings.map(({ key, fallback, scope }) => shape(key, fallback, scope)),
  );
});

test('each default passes the check of its own setting', () => {
  for (const { schema, fallback } of allSettings) assert.ok(schema.safeParse(fallback).success);
});

test('the choices of a setting are those that its reader takes, each with a description', () => {
  const choices = {
    [settings.initialPermissionMode.key]: initialModes,
    [settings.notifications.key]: notificationTimes,
    [settings.sendKey.key]: sendKeys,
  };
  for (const [key, property] of Object.entries(properties)) {
    assert.deepEqual(property.enum, choices[key] && [...choices[key]], key);
    assert.equal(property.enumDescriptions?.length, property.enum?.length, key);
  }
});

test('a workspace that is not trusted sets nothing that is restricted in the table', () => {
  assert.deepEqual(
    capabilities.untrustedWorkspaces.restrictedConfigurations,
    allSettings.filter(({ restricted }) => restricted).map(({ key }) => key),
  );
});

test('what names a program or its environment, or switches questions off, is of machine scope and restricted', () => {
  for (const [name, setting] of Object.entries(settings)) {
    if (!/^(?:cli|mcp|allow|toolFilesTrust)/.test(name)) continue;
    assert.deepEqual([setting.scope, setting.restricted], ['machine', true]);
  }
});

test('package.nls.json holds the texts that package.json names, and no other', () => {
  const named = new Set([...text.matchAll(/"%([^%"]+)%"/g)].map((match) => match[1]));
  const texts = z
    .record(z.string(), z.string())
    .parse(JSON.parse(readFileSync(inRoot('package.nls.json'), 'utf8')));
  assert.deepEqual([...named].sort(), Object.keys(texts).sort());
  assert.ok(Object.values(texts).every((value) => value.trim() !== '' && !value.includes('!')));
});

test('icons that package.json names are there', () => {
  assert.ok(readFileSync(inRoot(views.chat.icon), 'utf8').includes('<svg'));
  const png = readFileSync(inRoot(manifest.icon));
  assert.equal(png.toString('latin1', 1, 4), 'PNG');
  assert.ok(png.readUInt32BE(16) >= 128 && png.readUInt32BE(20) >= 128);
});

test('the extension runs where the workspace is, never at the other end of a remote window (W06)', () => {
  assert.deepEqual(manifest.extensionKind, ['workspace']);
});
