/**
 * The CLI's own tools that act, and so are taken away in a workspace that is not trusted. What is
 * left reads inside the workspace, asks the person, or keeps the model's own books. Checked by the
 * `tools` of a model request; a tool's name may end in nothing, unknown names do no harm.
 */
export const untrustedTools: Readonly<Record<string, string>> = {
  Bash: 'runs commands',
  BashOutput: 'belongs to Bash',
  PowerShell: 'runs commands',
  REPL: 'runs code',
  Monitor: 'runs a command and watches its output',
  Workflow: 'runs a script of many agents',
  Skill: 'follows instructions and runs scripts that the workspace may bring',
  Edit: 'writes files',
  MultiEdit: 'writes files (older versions)',
  Write: 'writes files',
  NotebookEdit: 'writes files',
  Agent: 'starts an agent with tools of its own',
  Task: 'the same tool under its other name',
  SendMessage: 'steers other agents and sessions',
  CronCreate: 'lets a prompt run later with nobody there',
  CronDelete: 'changes what runs later',
  ScheduleWakeup: 'lets a prompt run later with nobody there',
  RemoteTrigger: 'starts work elsewhere',
  EnterWorktree: 'makes git worktrees, which runs the hooks of the repository',
  ExitWorktree: 'removes git worktrees',
  WebFetch: 'an address is a way out for what was read',
  WebSearch: 'a query is a way out for what was read',
};

export const untrustedToolNames: readonly string[] = Object.keys(untrustedTools);
