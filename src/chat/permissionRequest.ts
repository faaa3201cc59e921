import type { CanUseToolRequest } from '../protocol/controlRequests';

/** What is read of a `can_use_tool` request. */
export type PermissionRequest = Pick<CanUseToolRequest, 'tool_name' | 'input'> &
  Partial<Omit<CanUseToolRequest, 'subtype' | 'tool_name' | 'input'>>;
