/** The places in which the chat is drawn, as package.json contributes them. Held to it by a test. */
export const views = {
  /** The container in the activity bar. */
  container: { id: 'patchbay', titleKey: 'views.container.title', icon: 'media/patchbay.svg' },
  /** The chat in the container. VS Code makes the command `<id>.focus` of it. */
  chat: { id: 'patchbay.chat', nameKey: 'views.chat.name', icon: 'media/patchbay.svg' },
  /** All servers and their tools, below the chat. Folded, it loads nothing. */
  tools: { id: 'patchbay.tools', nameKey: 'views.tools.name', icon: 'media/patchbay.svg' },
} as const;

/** The view type of the chat as an editor tab; tabs are restored by `onWebviewPanel:<type>`. */
export const chatPanelType = 'patchbay.chat';

/** The view type of the wire inspector. It is not restored: what it showed is gone by then. */
export const inspectorPanelType = 'patchbay.wire';

/** The view type of the forms of *Run Tool…*. Not restored: what was called is gone by then. */
export const runToolPanelType = 'patchbay.runTool';

/** The view type of *What would happen?*. Not restored either: the rules may be others by then. */
export const whatIfPanelType = 'patchbay.whatIf';
