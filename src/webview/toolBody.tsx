import * as l10n from '@vscode/l10n';
import type { ToolAction, ToolBlock, ToolResult } from '../chat/viewStateProtocol';
import { DiffView } from './diffView';
import { Icon } from './icon';
import { usePanel } from './panelContext';
import { PlanText } from './planText';
import { ResultView } from './resultView';
import { Checklist, LinkList, SubjectLine } from './toolParts';
import { useFold } from './useFold';

/** What an open row shows: its subject, the change or the result, and one click further both as they are. */
export function ToolBody({ block }: { readonly block: ToolBlock }) {
  const { result, diff, subject } = block;
  const isPlain = result !== undefined && (isOfServer(block) || !isShown(block) || result.isError);
  return (
    <div class="tool-body">
      {subject && !(diff && subject.kind === 'file') && <SubjectLine subject={subject} />}
      {block.todos && <Checklist todos={block.todos} />}
      {diff && (
        <DiffView
          diff={diff}
          head={subject !== undefined || !block.summary.includes(diff.path)}
          href={subject?.href}
        />
      )}
      {block.plan && (
        <PlanText fold={`plan:${block.id}`} text={block.plan.shown ?? block.plan.text} />
      )}
      {block.links && <LinkList links={block.links} />}
      {isPlain && <ResultView block={block} result={result} tellsSize={isOfServer(block)} />}
      <SavePlan block={block} />
      {block.unasked !== undefined && <p class="quiet-line">{block.unasked}</p>}
      <RawFolds
        block={block}
        result={result && (!isPlain || isShaped(result)) ? result.text : undefined}
      />
    </div>
  );
}

/** What a server's tool gives the model is all that it knows of the call, and is paid for by length. */
function isOfServer({ name }: ToolBlock): boolean {
  return name.startsWith('mcp__');
}

/** The change, the plan, the list or the links say more than what the model read of it. */
function isShown({ diff, plan, todos, links }: ToolBlock): boolean {
  return (diff ?? plan ?? todos ?? links) !== undefined;
}

/** It is drawn as something else than the text that it is. */
function isShaped({ table, isMarkdown }: ToolResult): boolean {
  return table !== undefined || isMarkdown === true;
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

/** Input and result as they went over the wire; the result where it is drawn as something else. */
function RawFolds(props: { readonly block: ToolBlock; readonly result: string | undefined }) {
  const { block, result = '' } = props;
  const [isInputOpen, setInputOpen] = useFold(`input:${block.id}`);
  const [isResultOpen, setResultOpen] = useFold(`result:${block.id}`);
  if (block.input === '' && result === '') return null;
  return (
    <div class="raw">
      {block.input !== '' && (
        <RawButton
          words={l10n.t('Raw input')}
          name={block.name}
          open={isInputOpen}
          toggle={() => setInputOpen(!isInputOpen)}
        />
      )}
      {isInputOpen && <RawText words={l10n.t('Raw input')} text={block.input} />}
      {result !== '' && (
        <RawButton
          words={l10n.t('Raw result')}
          open={isResultOpen}
          toggle={() => setResultOpen(!isResultOpen)}
        />
      )}
      {isResultOpen && result !== '' && <RawText words={l10n.t('Raw result')} text={result} />}
    </div>
  );
}

function RawButton(props: {
  readonly words: string;
  readonly name?: string;
  readonly open: boolean;
  readonly toggle: () => void;
}) {
  return (
    <button type="button" class="fold" aria-expanded={props.open} onClick={props.toggle}>
      <Icon name={props.open ? 'chevron-down' : 'chevron-right'} />
      <span>{props.words}</span>
      {props.name !== undefined && <code class="raw-name">{props.name}</code>}
    </button>
  );
}

function RawText({ words, text }: { readonly words: string; readonly text: string }) {
  return (
    <pre class="output" tabIndex={0} dir="ltr" aria-label={words} role="group">
      {text}
    </pre>
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
