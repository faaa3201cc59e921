/** What the commands do. Each works while no view of ours is open. */
export interface CommandActions {
  newConversation(): Promise<void>;
  openInEditor(): Promise<void>;
  focusInput(): Promise<void>;
  findInConversation(): Promise<void>;
  cycleMode(): Promise<void>;
  stop(): Promise<void>;
  askAboutSelection(): Promise<void>;
  fixProblems(): Promise<void>;
  mcpServers(): Promise<void>;
  login(): Promise<void>;
  showWireInspector(): Promise<void>;
  whatWouldHappen(): Promise<void>;
  newToolFile(): Promise<void>;
  reviewToolFiles(): Promise<void>;
}

/** Buttons of comments on a plan: VS Code hands over the comment that they stand on. */
export const planCommentCommands = [
  'addPlanComment',
  'editPlanComment',
  'deletePlanComment',
  'cancelPlanComment',
  'savePlanComment',
] as const;
export type PlanCommentCommand = (typeof planCommentCommands)[number];

/** What is done with servers and tools: the view of the tools hands over the row. */
export const toolCommands = [
  'showTools',
  'runTool',
  'useToolSet',
  'showToolToModel',
  'openToolFile',
  'switchToolOn',
  'switchToolOff',
  'reconnectServer',
  'approveTools',
  'withdrawApproval',
  'openToolSetting',
] as const;
export type ToolCommand = (typeof toolCommands)[number];

/** What a reader does with a conversation. */
export const readingCommands = [
  'previousPrompt',
  'nextPrompt',
  'collapseAll',
  'toggleFocusView',
  'exportConversation',
] as const;
export type ReadingCommand = (typeof readingCommands)[number];

/** `showLog` and `doctor` must work when nothing else could be loaded. */
export type CommandName =
  keyof CommandActions | PlanCommentCommand | ToolCommand | ReadingCommand | 'showLog' | 'doctor';

export interface CommandSpec {
  readonly id: string;
  /** Key of the title in package.nls.json. */
  readonly titleKey: string;
  /** A codicon, for menus that show icons. */
  readonly icon?: string;
  /** When the palette offers it; always, where absent. */
  readonly paletteWhen?: string;
}

/** Every command of ours, as package.json contributes it. Held to it by a test. */
export const commands: Readonly<Record<CommandName, CommandSpec>> = {
  newConversation: {
    id: 'patchbay.newConversation',
    titleKey: 'command.newConversation.title',
    icon: '$(add)',
  },
  openInEditor: {
    id: 'patchbay.openInEditor',
    titleKey: 'command.openInEditor.title',
    icon: '$(link-external)',
  },
  focusInput: { id: 'patchbay.focusInput', titleKey: 'command.focusInput.title' },
  findInConversation: {
    id: 'patchbay.findInConversation',
    titleKey: 'command.findInConversation.title',
    icon: '$(search)',
  },
  previousPrompt: { id: 'patchbay.previousPrompt', titleKey: 'command.previousPrompt.title' },
  nextPrompt: { id: 'patchbay.nextPrompt', titleKey: 'command.nextPrompt.title' },
  collapseAll: {
    id: 'patchbay.collapseAll',
    titleKey: 'command.collapseAll.title',
    icon: '$(collapse-all)',
  },
  toggleFocusView: { id: 'patchbay.toggleFocusView', titleKey: 'command.toggleFocusView.title' },
  exportConversation: {
    id: 'patchbay.exportConversation',
    titleKey: 'command.exportConversation.title',
    icon: '$(export)',
  },
  cycleMode: { id: 'patchbay.cycleMode', titleKey: 'command.cycleMode.title' },
  stop: {
    id: 'patchbay.stop',
    titleKey: 'command.stop.title',
    icon: '$(debug-stop)',
    paletteWhen: 'patchbay.turnRunning',
  },
  askAboutSelection: {
    id: 'patchbay.askAboutSelection',
    titleKey: 'command.askAboutSelection.title',
    paletteWhen: 'editorIsOpen',
  },
  fixProblems: {
    id: 'patchbay.fixProblems',
    titleKey: 'command.fixProblems.title',
    paletteWhen: 'editorIsOpen',
  },
  mcpServers: {
    id: 'patchbay.mcpServers',
    titleKey: 'command.mcpServers.title',
    icon: '$(server)',
  },
  login: { id: 'patchbay.login', titleKey: 'command.login.title' },
  showLog: { id: 'patchbay.showLog', titleKey: 'command.showLog.title', icon: '$(output)' },
  showWireInspector: {
    id: 'patchbay.showWireInspector',
    titleKey: 'command.showWireInspector.title',
    icon: '$(list-tree)',
  },
  whatWouldHappen: {
    id: 'patchbay.whatWouldHappen',
    titleKey: 'command.whatWouldHappen.title',
    icon: '$(shield)',
  },
  newToolFile: { id: 'patchbay.newToolFile', titleKey: 'command.newToolFile.title' },
  reviewToolFiles: {
    id: 'patchbay.reviewToolFiles',
    titleKey: 'command.reviewToolFiles.title',
  },
  doctor: { id: 'patchbay.doctor', titleKey: 'command.doctor.title', icon: '$(pulse)' },
  showTools: {
    id: 'patchbay.showTools',
    titleKey: 'command.showTools.title',
    icon: '$(tools)',
  },
  runTool: {
    id: 'patchbay.runTool',
    titleKey: 'command.runTool.title',
    icon: '$(play)',
  },
  useToolSet: {
    id: 'patchbay.useToolSet',
    titleKey: 'command.useToolSet.title',
    icon: '$(layers)',
  },
  showToolToModel: {
    id: 'patchbay.showToolToModel',
    titleKey: 'command.showToolToModel.title',
    icon: '$(eye)',
    paletteWhen: 'false',
  },
  openToolFile: {
    id: 'patchbay.openToolFile',
    titleKey: 'command.openToolFile.title',
    icon: '$(go-to-file)',
    paletteWhen: 'false',
  },
  switchToolOn: {
    id: 'patchbay.switchToolOn',
    titleKey: 'command.switchToolOn.title',
    icon: '$(pass)',
    paletteWhen: 'false',
  },
  switchToolOff: {
    id: 'patchbay.switchToolOff',
    titleKey: 'command.switchToolOff.title',
    icon: '$(circle-slash)',
    paletteWhen: 'false',
  },
  reconnectServer: {
    id: 'patchbay.reconnectServer',
    titleKey: 'command.reconnectServer.title',
    icon: '$(debug-restart)',
    paletteWhen: 'false',
  },
  approveTools: {
    id: 'patchbay.approveTools',
    titleKey: 'command.approveTools.title',
    icon: '$(shield)',
    paletteWhen: 'false',
  },
  withdrawApproval: {
    id: 'patchbay.withdrawApproval',
    titleKey: 'command.withdrawApproval.title',
    paletteWhen: 'false',
  },
  openToolSetting: {
    id: 'patchbay.openToolSetting',
    titleKey: 'command.openToolSetting.title',
    icon: '$(gear)',
    paletteWhen: 'false',
  },
  addPlanComment: {
    id: 'patchbay.addPlanComment',
    titleKey: 'command.addPlanComment.title',
    paletteWhen: 'false',
  },
  editPlanComment: {
    id: 'patchbay.editPlanComment',
    titleKey: 'command.editPlanComment.title',
    icon: '$(edit)',
    paletteWhen: 'false',
  },
  deletePlanComment: {
    id: 'patchbay.deletePlanComment',
    titleKey: 'command.deletePlanComment.title',
    icon: '$(trash)',
    paletteWhen: 'false',
  },
  cancelPlanComment: {
    id: 'patchbay.cancelPlanComment',
    titleKey: 'command.cancelPlanComment.title',
    paletteWhen: 'false',
  },
  savePlanComment: {
    id: 'patchbay.savePlanComment',
    titleKey: 'command.savePlanComment.title',
    paletteWhen: 'false',
  },
};

/** The commands that need what is loaded on first use. */
export const actionNames = [
  'newConversation',
  'openInEditor',
  'focusInput',
  'findInConversation',
  'cycleMode',
  'stop',
  'askAboutSelection',
  'fixProblems',
  'mcpServers',
  'login',
  'showWireInspector',
  'whatWouldHappen',
  'newToolFile',
  'reviewToolFiles',
] as const satisfies readonly (keyof CommandActions)[];
