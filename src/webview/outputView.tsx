import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { Icon } from './icon';
import { foldedParts, lookClasses, type OutputPart, outputParts } from './outputParts';
import { useFold } from './useFold';
import { lineCount } from './words';

/** What a tool printed: in its colours, with places as links; a long one is folded with its size. */
export function OutputView(props: {
  readonly text: string;
  readonly name: string;
  /** Which end says most, and stays in sight. */
  readonly keep: 'start' | 'end';
  /** Of the whole, where the text is a part of it. */
  readonly lines: number;
  /** What its fold is called. */
  readonly fold: string;
}) {
  const { text, name, keep, lines } = props;
  const [open, setOpen] = useFold(props.fold);
  const parts = useMemo(() => outputParts(text), [text]);
  const folded = useMemo(() => foldedParts(parts, keep), [parts, keep]);
  const fold = folded && (
    <button type="button" class="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
      <Icon name={open ? 'fold' : 'unfold'} />
      <span>{open ? l10n.t('Show less') : l10n.t('Show more of {0}', lineCount(lines))}</span>
    </button>
  );
  return (
    <>
      {keep === 'end' && fold}
      <pre
        class={folded && !open ? 'output output-folded' : 'output'}
        tabIndex={0}
        dir="auto"
        aria-label={name}
        role="group"
      >
        {(folded && !open ? folded : parts).map(drawPart)}
      </pre>
      {keep === 'start' && fold}
    </>
  );
}

function drawPart(part: OutputPart, index: number): ComponentChildren {
  const classes = lookClasses(part);
  if (part.href !== undefined) {
    return (
      <a key={index} class={`place ${classes}`.trim()} href="#" data-href={part.href}>
        {part.text}
      </a>
    );
  }
  return classes === '' ? (
    part.text
  ) : (
    <span key={index} class={classes}>
      {part.text}
    </span>
  );
}
