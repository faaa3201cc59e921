import type { PermissionMode } from '../rules/modes';

/** What the model reads when its mode does not let a call run: what happened, and what to do next. */
export function refusedByMode(toolName: string, mode: PermissionMode, reason?: string): string {
  if (mode === 'plan') {
    return (
      `${toolName} was not run: in plan mode nothing is changed. Finish the plan and have it ` +
      'approved with ExitPlanMode; after that try again.'
    );
  }
  const why = reason === undefined ? '' : `: ${reason}`;
  return (
    `${toolName} was not run${why}${why.endsWith('.') ? '' : '.'} It would need the person's consent, and in the present ` +
    'permission mode nobody is asked. Go on without it, and tell the person what is left to do.'
  );
}

/** The paths of a call lead elsewhere than when it was allowed. */
export function movedMeanwhile(toolName: string): string {
  return (
    `${toolName} was not run and nothing was written: since it was allowed, one of its paths has come to lead ` +
    'to another place. Look where it leads, and try again.'
  );
}
