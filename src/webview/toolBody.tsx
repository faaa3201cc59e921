import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import type { ToolAction, ToolBlock, ToolResult } from '../chat/viewStateProtocol';
import { DiffView } from './diffView';
import { Icon } from './icon';
import { usePanel } from './panelContext';
import { PlanText } from './planText';
import { shortCount } from './words';

/** What an open row shows: the change or the result, and one click further the raw input. */
export function ToolBody({ block }: { readonly block: ToolBlock }) {
  return (
    <div class="tool-body">
      {block.diff && <DiffView diff={block.diff} head={!block.summary.includes(block.diff.path)} />}
      {block.plan && <PlanText text={block.plan.shown ?? block.plan.text} />}
      {block.result && (isOfServer(block) || !isShown(block) || block.result.isError) && (
        <Result result={block.result} tellsSize={isOfServer(block)} />
      )}
      <SavePlan block={block} />
      {block.unasked !== undefined && <p class="quiet-line">{block.unasked}</p>}
      {block.input !== '' && <RawInput block={block} />}
    </div>
  );
}

/** What a server's tool gives the model is all that it knows of the call, and is paid for by length. */
function isOfServer({ name }: ToolBlock): boolean {
  return name.startsWith('mcp__');
}

/** The change or the plan says more than what the model read of it. */
function isShown({ diff, plan }: ToolBlock): boolean {
  return (diff ?? plan) !== undefined;
}

/** One that is cut is not here to be saved. */
function SavePlan({ block }: { readonly block: ToolBlock }) {
  const { post } = usePanel();
  if (block.plan === undefined || block.plan.isCut === true) return null;
  return (
    <button
      type="button"
      class="fold plan-save"
      onClick={() => post({ type: 'savePlan', toolUseId: block.id })}
    >
      <Icon name="save" />
      <span>{l10n.t('Save in workspace…')}</span>
    </button>
  );
}

function Result(props: { readonly result: ToolResult; readonly tellsSize: boolean }) {
  const { result } = props;
  const cut = result.size > result.text.length;
  return (
    <div class={result.isError ? 'result result-error' : 'result'}>
      {result.text !== '' && (
        <pre class="output" tabIndex={0} dir="auto" aria-label={l10n.t('Result')} role="group">
          {result.text}
        </pre>
      )}
      {result.attachments?.map((line) => (
        <p class="quiet-line" key={line}>
          <Icon name="file" /> {line}
        </p>
      ))}
      {cut && (
        <p class="quiet-line">
          {l10n.t(
            'The first {0} of {1} characters; the model got all',
            shortCount(result.text.length),
            shortCount(result.size),
          )}
        </p>
      )}
      {props.tellsSize && !cut && result.text !== '' && (
        <p class="quiet-line">{l10n.t('{0} characters', result.size.toLocaleString())}</p>
      )}
      {result.text === '' && <p class="quiet-line">{l10n.t('Empty result')}</p>}
    </div>
  );
}

function RawInput({ block }: { readonly block: ToolBlock }) {
  const [open, setOpen] = useState(false);
  return (
    <div class="raw">
      <button type="button" class="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
        <span>{l10n.t('Raw input')}</span>
        <code class="raw-name">{block.name}</code>
      </button>
      {open && (
        <pre class="output" tabIndex={0} dir="ltr" aria-label={l10n.t('Raw input')} role="group">
          {block.input}
        </pre>
      )}
    </div>
  );
}

/** Offered where a write was refused because the file has unsaved changes. */
export function ToolActions(props: {
  readonly id: string;
  readonly actions: readonly ToolAction[];
}) {
  const { post } = usePanel();
  if (props.actions.length === 0) return null;
  return (
    <div class="tool-actions">
      {props.actions.map((action) => (
        <button
          key={action}
          type="button"
          class="button secondary"
          onClick={() => post({ type: 'toolAction', toolUseId: props.id, action })}
        >
          {action === 'saveAndRetry'
            ? l10n.t('Save and try again')
            : l10n.t('Discard and try again')}
        </button>
      ))}
    </div>
  );
}
