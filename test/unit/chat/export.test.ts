import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportJsonLines, exportMarkdown } from '../../../src/chat/conversationExport';
import { exportHtml } from '../../../src/chat/exportHtml';
import { joinMarkdown, renderMarkdown } from '../../../src/chat/markdown';
import type { TranscriptItem } from '../../../src/chat/viewStateProtocol';
import { articleMarkdown } from '../../../src/webview/articleText';
import { Chat, assistantRow, resultRow, toolUse } from './chatHarness';

const HOSTILE = '<img src=x onerror=alert(1)><script>alert(2)</script>';

function talk(): Chat {
  const chat = new Chat().prompt(HOSTILE);
  return chat.cli(
    assistantRow('m1', [
      {
        type: 'text',
        text: `# Hi\n\n${HOSTILE} [x](javascript:alert(3)) [y](command:z) ![p](https://t.invalid/?q)`,
      },
    ]),
    assistantRow('m1', [toolUse('t1', 'Bash', { command: `echo "${HOSTILE}"` })]),
    resultRow('t1', `\u001b[31m${HOSTILE}\u001b[0m`),
  );
}

test('as HTML a conversation stands alone and does nothing, whatever was said', () => {
  const html = exportHtml(talk().items, `Title ${HOSTILE}`);
  assert.ok(!/<script|<img|<iframe|<link|href="(?:javascript|command):/i.test(html), html);
  assert.match(html, /content="default-src 'none'; style-src 'unsafe-inline'"/);
  assert.match(html, /@media print/);
  assert.match(html, /<h2>You<\/h2>/);
  assert.match(html, /<summary>Run a command/);
  assert.ok(html.includes('&lt;img src=x onerror=alert(1)&gt;'));
  assert.ok(!html.includes('\u001b'));
});

test('as JSON Lines each item is a line that can be read again', () => {
  const { items } = talk();
  const lines = exportJsonLines(items).trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line) as unknown),
    JSON.parse(JSON.stringify(items)),
  );
  assert.equal(exportJsonLines([]), '');
});

test('as Markdown no sign of a terminal is left, and all lines of an alert are part of it', () => {
  const escape = String.fromCharCode(27);
  const text = `${escape}[31mred${escape}[0m\n\`\`\`\nfence`;
  const result = { text, size: text.length, isError: false };
  const tool = {
    kind: 'tool',
    id: 't',
    name: 'Bash',
    title: 'Run a command',
    summary: 'ls',
  } as const;
  const markdown = exportMarkdown([
    {
      ...{ kind: 'assistant', id: 'a' },
      blocks: [{ ...tool, state: 'done', input: '', result }],
    },
    { kind: 'error', id: 'e', message: 'one\ntwo', kept: 'kept', actions: [] },
  ]);
  assert.ok(!markdown.includes(escape));
  assert.match(markdown, /\n````\nred\n```\nfence\n````\n/);
  assert.match(markdown, /\n> one\n> two\n> kept$/);
});

test('as Markdown code that was never closed, as in an answer that was stopped, takes in nothing behind it', () => {
  const words = (id: string, text: string) =>
    ({ kind: 'text', id, text, streaming: false }) as const;
  for (const open of [
    '```js\nconst a = 1;',
    'So:\n\n~~~~\na\n~~~\n',
    '```\na\n```\n\n````md\n```\nb\n```',
    '```\n``',
    'Line\r\n```\r\na\r\n',
  ]) {
    const items: readonly TranscriptItem[] = [
      { kind: 'user', id: 'u1', text: open },
      { ...{ kind: 'assistant', id: 'a1' }, blocks: [words('x1', open), words('x2', '# After')] },
      { ...{ kind: 'assistant', id: 'a2', stopped: true }, blocks: [words('x3', open)] },
      { kind: 'user', id: 'u2', text: 'go on' },
    ];
    const html = renderMarkdown(exportMarkdown(items));
    assert.equal(html.match(/<h2[^>]*>(?:You|Claude)<\/h2>/g)?.length, 4, html);
    assert.match(html, /<h1[^>]*>After<\/h1>/);
    assert.match(html, /<em>Stopped\.<\/em>/);
    const [, answer] = items;
    assert.match(
      renderMarkdown(answer?.kind === 'assistant' ? articleMarkdown(answer) : ''),
      /<h1[^>]*>After<\/h1>/,
    );
  }
  for (const whole of ['```\na\n```', '- ```\n  a', '> ```\n> a', '    ```\n    a', 'a ``` b']) {
    assert.equal(joinMarkdown([whole, 'b']), `${whole}\n\nb`);
  }
});
