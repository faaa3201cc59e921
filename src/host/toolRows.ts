import type { ServerAction, ServerRow } from './serverRows';
import type { ToolFolder } from '../workspaceTools/toolFile';
import type { WireTool } from '../mcp/wire';

/** What can be done with a row of the tools view; each is a word of its context value. */
export type RowAction =
  ServerAction | 'run' | 'showModel' | 'openFile' | 'approve' | 'withdraw' | 'openSetting';

/** What a row stands for. */
export type RowTarget =
  | { readonly kind: 'server'; readonly row: ServerRow; readonly folder?: ToolFolder | undefined }
  | {
      readonly kind: 'tool';
      readonly server: string;
      readonly tool: string;
      /** As it is listed; undefined for a tool of which only the name is known. */
      readonly wire: WireTool | undefined;
      readonly file?: string | undefined;
      /** Workspace folder of the file. */
      readonly folder?: string | undefined;
    }
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly line?: number | undefined;
      readonly column?: number | undefined;
      readonly folder: string;
    }
  | { readonly kind: 'note' };

export type RowTone = 'error' | 'warning' | undefined;

/** A row of the tools view, as plain data. Texts are localized; the tooltip is markdown. */
export interface ToolsRow {
  /** The same as long as it is the same thing, so that what is open stays open. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  /** A codicon, without `$()`. */
  readonly icon: string;
  readonly tone: RowTone;
  /** The row in words. */
  readonly said: string;
  readonly actions: readonly RowAction[];
  readonly target: RowTarget;
  readonly children: readonly ToolsRow[];
}
