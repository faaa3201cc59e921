import * as l10n from '@vscode/l10n';
import { stripAnsi } from '../base/ansiText';
import { assertNever } from '../base/assertNever';
import { renderMarkdown } from './markdown';
import type { Block, FileDiff, ToolBlock, TranscriptItem } from './viewStateProtocol';

/**
 * A transcript as one page that needs nothing else: no script, nothing that is loaded, and a policy
 * that forbids both. All that was said is untrusted: it is escaped, or rendered by the renderer
 * that lets no HTML through.
 */
export function exportHtml(items: readonly TranscriptItem[], title: string): string {
  const name = escape(title === '' ? l10n.t('Conversation') : title);
  return [
    '<!DOCTYPE html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="UTF-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${name}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    `<h1 dir="auto">${name}</h1>`,
    ...items.map(itemHtml),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

const STYLE = `
:root { color-scheme: light dark; }
body { max-width: 52rem; margin: 2rem auto; padding: 0 1rem; font: 15px/1.55 system-ui, sans-serif; }
h1 { font-size: 1.3rem; } h2 { margin: 1.5rem 0 .5rem; font-size: 1rem; }
pre { padding: .6rem .8rem; overflow-x: auto; border: 1px solid #8884; border-radius: 4px; }
code, pre { font: 13px/1.5 ui-monospace, monospace; }
table { border-collapse: collapse; } th, td { padding: .2rem .6rem; border: 1px solid #8886; text-align: start; }
blockquote { margin-inline: 0; padding-inline-start: .8rem; border-inline-start: 3px solid #8886; }
.you { padding: .6rem .8rem; border: 1px solid #8886; border-radius: 4px; white-space: pre-wrap; overflow-wrap: anywhere; }
.quiet { opacity: .75; font-size: .9em; }
details { margin: .3rem 0; } details pre { max-height: 30rem; overflow: auto; }
.added { color: #2a7d2e; } .removed { color: #b3261e; }
@media print { body { margin: 0; max-width: none; } pre { white-space: pre-wrap; } h2 { break-after: avoid; } }
`;

function itemHtml(item: TranscriptItem): string {
  switch (item.kind) {
    case 'user':
      return section(l10n.t('You'), `<div class="you" dir="auto">${escape(item.text)}</div>`);
    case 'assistant': {
      const body = item.blocks.filter((block) => block.parentToolUseId === undefined);
      const stopped = item.stopped === true ? [quiet(l10n.t('Stopped'))] : [];
      return section(l10n.t('Claude'), [...body.map(blockHtml), ...stopped].join('\n'));
    }
    case 'notice':
      return quiet(item.text);
    case 'error':
      return `<blockquote>${[item.message, item.kept, item.next]
        .flatMap((text) => (text === undefined ? [] : `<p dir="auto">${escape(text)}</p>`))
        .join('')}</blockquote>`;
    default:
      return assertNever(item, 'item');
  }
}

function blockHtml(block: Block): string {
  switch (block.kind) {
    case 'text':
      return renderMarkdown(block.text);
    case 'thinking':
      return '';
    case 'tool':
      return toolHtml(block);
    default:
      return assertNever(block, 'block');
  }
}

function toolHtml(block: ToolBlock): string {
  const words = [block.title, block.summary, block.figure].filter(Boolean).join(' · ');
  const parts = [
    block.subject?.kind === 'command' ? pre(block.subject.text) : '',
    block.diff ? diffHtml(block.diff) : '',
    block.result && block.result.text !== '' ? pre(stripAnsi(block.result.text)) : '',
  ];
  return `<details><summary>${escape(words)}</summary>\n${parts.filter(Boolean).join('\n')}\n</details>`;
}

function diffHtml(diff: FileDiff): string {
  const lines = diff.hunks
    .flatMap(({ lines }) => lines)
    .map((line) => {
      const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : '';
      return kind === '' ? escape(line) : `<span class="${kind}">${escape(line)}</span>`;
    });
  return `<pre dir="ltr">${lines.join('\n')}</pre>`;
}

function section(heading: string, body: string): string {
  return `<section>\n<h2>${escape(heading)}</h2>\n${body}\n</section>`;
}

function quiet(text: string): string {
  return `<p class="quiet" dir="auto">${escape(text)}</p>`;
}

function pre(text: string): string {
  return `<pre dir="auto">${escape(text)}</pre>`;
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
