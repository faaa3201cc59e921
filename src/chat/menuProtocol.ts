/** Commands that the panel's own menu runs, by their names in the host's table. */
export const menuCommands = [
  'exportConversation',
  'toggleFocusView',
  'openInEditor',
  'mcpServers',
  'showTools',
  'whatWouldHappen',
  'showWireInspector',
] as const;
export type MenuCommand = (typeof menuCommands)[number];
