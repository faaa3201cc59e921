import type { ToolContext } from '../mcp/toolContext';
import { toolState } from './toolState';

/** Stands for a conversation: several may debug, set breakpoints and look on in one window. */
export interface DebugAgent {
  readonly kind: 'agent';
}

export function agentOf(ctx: Pick<ToolContext, 'state'>): DebugAgent {
  return toolState(ctx, 'debugAgent', (): DebugAgent => ({ kind: 'agent' }));
}
