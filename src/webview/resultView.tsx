import * as l10n from '@vscode/l10n';
import type { ToolBlock, ToolResult } from '../chat/viewStateProtocol';
import { Icon } from './icon';
import { ImageList } from './imageList';
import { MarkdownText } from './markdownText';
import { OutputView } from './outputView';
import { usePanel } from './panelContext';
import { TableView } from './toolParts';
import { shortCount } from './words';

/** What a call gave back, in the form that fits it. */
export function ResultView(props: {
  readonly block: ToolBlock;
  readonly result: ToolResult;
  readonly tellsSize: boolean;
}) {
  const { block, result } = props;
  const { images = [], attachments = [], ending } = result;
  const isEmpty = result.text === '' && images.length === 0 && attachments.length === 0;
  return (
    <div class={result.isError ? 'result result-error' : 'result'}>
      <ResultText blockId={block.id} result={result} />
      {images.length > 0 && <ImageList toolUseId={block.id} images={images} />}
      {attachments.map((line) => (
        <p class="quiet-line" key={line}>
          <Icon name="file" /> {line}
        </p>
      ))}
      {ending !== undefined && <p class="quiet-line">{ending}</p>}
      <ResultSize block={block} result={result} tells={props.tellsSize} />
      {isEmpty && <p class="quiet-line">{l10n.t('Empty result')}</p>}
    </div>
  );
}

function ResultText(props: { readonly blockId: string; readonly result: ToolResult }) {
  const { blockId, result } = props;
  if (result.table) return <TableView table={result.table} />;
  if (result.text === '') return null;
  if (result.isMarkdown) return <MarkdownText text={result.text} class="result-words" />;
  return (
    <OutputView
      text={result.text}
      name={l10n.t('Result')}
      keep={result.isEnd ? 'end' : 'start'}
      lines={result.lines ?? 0}
      fold={`output:${blockId}`}
    />
  );
}

/** How much it is, and where all of it can be read. */
function ResultSize(props: {
  readonly block: ToolBlock;
  readonly result: ToolResult;
  readonly tells: boolean;
}) {
  const { block, result, tells } = props;
  const { post } = usePanel();
  const cut = result.size > result.text.length;
  if (!cut) {
    if (!tells || result.text === '') return null;
    return <p class="quiet-line">{l10n.t('{0} characters', result.size.toLocaleString())}</p>;
  }
  const [shown, size] = [shortCount(result.text.length), shortCount(result.size)];
  return (
    <p class="quiet-line result-size">
      {result.isEnd
        ? l10n.t('The last {0} of {1} characters', shown, size)
        : l10n.t('The first {0} of {1} characters', shown, size)}
      <button
        type="button"
        class="link-button"
        onClick={() => post({ type: 'showResult', toolUseId: block.id })}
      >
        {l10n.t('Open all of it')}
      </button>
    </p>
  );
}
