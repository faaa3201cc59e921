import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outputText } from '../../../src/editor/cellOutputs';
import { type CellText, formatCells } from '../../../src/editor/formatCells';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const cell = (number: number, over: Partial<CellText> = {}): CellText => ({
  number,
  kind: 'code',
  language: 'python',
  source: `print(${number})`,
  run: undefined,
  outputs: [],
  ...over,
});

describe('cells of a notebook as text', () => {
  it('are numbered, with their outputs behind an arrow', () => {
    const cells = [
      cell(1, { run: 'ran', outputs: ['1\n', ''] }),
      cell(2, { kind: 'markdown', source: '# Title' }),
      cell(3, { source: '', run: 'failed', outputs: ['error: NameError: x'] }),
    ];
    assert.equal(
      formatCells({ path: 'a.ipynb', disk: 'unsaved', cells }, 1, 3),
      [
        'a.ipynb: 3 cells, unsaved changes',
        '[1] code python, ran',
        'print(1)',
        '-> 1',
        '[2] markdown',
        '# Title',
        '[3] code python, failed',
        '-> error: NameError: x',
      ].join('\n'),
    );
  });

  it('B4: keep to 6,000 characters, cut outputs with their length, and all are reached', () => {
    const cells = Array.from({ length: 80 }, (_, index) =>
      cell(index + 1, { source: `line of ${index}\n`.repeat(30), outputs: ['x'.repeat(20_000)] }),
    );
    const notebook = { path: 'big.ipynb', disk: 'same' as const, cells };
    const seen: number[] = [];
    for (let from: number | undefined = 1; from !== undefined;) {
      const text = formatCells(notebook, from, 80);
      assert.ok(text.length <= 6_000, `${text.length}`);
      assert.match(text, /… \(cut: 20003 characters\)/);
      seen.push(...[...text.matchAll(/^\[(\d+)\]/gm)].map(([, number]) => Number(number)));
      const next: string | undefined = /next: from=(\d+)$/.exec(text)?.[1];
      from = next === undefined ? undefined : Number(next);
    }
    assert.deepEqual(
      seen,
      cells.map(({ number }) => number),
    );
    const one = formatCells(notebook, 4, 4);
    assert.ok(one.length > 3_500 && one.length <= 6_000);
    assert.doesNotMatch(one, /next:/);
  });

  it('B4: one cell keeps to 6,000 characters, whatever is long in it', () => {
    for (const source of [0, 1, 2_499, 2_501, 90_000]) {
      for (const output of [0, 3_400, 3_501, 90_000]) {
        for (const path of ['a.ipynb', `${'folder/'.repeat(40)}a.ipynb`]) {
          const long = cell(1, {
            ...{ source: 's'.repeat(source), run: 'failed' },
            outputs: ['o'.repeat(output)],
          });
          const text = formatCells({ path, disk: 'unsaved', cells: [long, long] }, 1, 1);
          assert.ok(text.length <= 6_000, `${source}, ${output}: ${text.length}`);
          const isWhole = text.endsWith('o'.repeat(output));
          assert.equal(text.includes(`(cut: ${output + 3} characters)`), !isWhole);
          if (source + output < 5_500 && output < 3_500) assert.ok(isWhole, `${source}, ${output}`);
        }
      }
    }
  });

  it('the last output, which may be an error, is told however long those before it are', () => {
    const outputs = ['o'.repeat(9_000), 'error: ValueError: it broke\nline 1'];
    for (const [from, to] of [
      [1, 1],
      [1, 2],
    ] as const) {
      const cells = [cell(1, { run: 'failed', outputs }), cell(2)];
      const text = formatCells({ path: 'a.ipynb', disk: 'same', cells }, from, to);
      assert.match(
        text,
        /\n-> o+… \(cut: 9003 characters\)\n-> error: ValueError: it broke\nline 1/,
      );
    }
  });

  it('one cell has its text whole where there is room, else the way to the whole', () => {
    const long = (length: number): string => {
      const cells = [cell(1, { source: 's'.repeat(length), outputs: ['one'], uri: 'cell:a#1' })];
      return formatCells({ path: 'a.ipynb', disk: 'same', cells }, 1, 1);
    };
    assert.ok(long(5_000).endsWith(`\n${'s'.repeat(5_000)}\n-> one`));
    const cut = long(90_000);
    assert.match(cut, /s… \(cut: 90000 characters\); whole: read_buffer cell:a#1\n-> one$/);
    assert.ok(cut.length <= 6_000 && cut.length > 5_000, `${cut.length}`);
  });

  it('an empty notebook says so', () => {
    assert.equal(
      formatCells({ path: 'a.ipynb', disk: 'same' as const, cells: [] }, 1, 0),
      'a.ipynb: 0 cells, as on disk',
    );
  });
});

describe('outputs of a cell as text', () => {
  it('are read as far as they may be told, however long', () => {
    const data = bytes('ten bytes\n'.repeat(50_000));
    for (const mime of ['application/vnd.code.notebook.stdout', 'text/html']) {
      const text = outputText([
        { mime, data },
        { mime, data },
      ]);
      assert.match(text.slice(-20), /\nten bytes\n…$/);
      assert.equal(text.length, 100_001);
      const told = formatCells(
        { path: 'a.ipynb', disk: 'same', cells: [cell(1, { outputs: [text] })] },
        ...([1, 1] as const),
      );
      assert.match(told, /… \(cut: 100004 or more characters\)$/);
    }
  });

  const cases: readonly (readonly [string, Parameters<typeof outputText>[0], string])[] = [
    [
      'errors by name, message and trace, without colours',
      [
        {
          mime: 'application/vnd.code.notebook.error',
          data: bytes(
            JSON.stringify({ name: 'NameError', message: 'x', stack: '\u001b[31mline 1\u001b[0m' }),
          ),
        },
      ],
      'error: NameError: x\nline 1',
    ],
    [
      'errors that are no JSON as they are',
      [{ mime: 'application/vnd.code.notebook.error', data: bytes('{broken') }],
      'error: {broken',
    ],
    [
      'streams as they were printed',
      [{ mime: 'application/vnd.code.notebook.stdout', data: bytes('a\nb\n') }],
      'a\nb\n',
    ],
    [
      'a progress bar as it stood at last, also where it comes in pieces',
      ['\r0%\r5', '0%\u001b[K\r100%\u001b[32m\u001b[0m', '\r\u001b[2Kdone\n'].map((text, at) => ({
        mime: `application/vnd.code.notebook.std${at === 1 ? 'err' : 'out'}`,
        data: bytes(text),
      })),
      'done\n',
    ],
    [
      'a picture by kind and size, with the text that says the same',
      [
        { mime: 'text/html', data: bytes('<b>') },
        { mime: 'image/png', data: new Uint8Array(12) },
        { mime: 'text/plain', data: bytes('<Figure>') },
      ],
      '(image/png, 12 bytes) <Figure>',
    ],
    [
      'what has a text only in another form than the plain one',
      [
        { mime: 'text/plain', data: bytes('<IPython.core.display.Markdown object>') },
        { mime: 'text/markdown', data: bytes('**3**') },
      ],
      '**3**',
    ],
    [
      'a table by its rows, not by the name of its object',
      [
        { mime: 'text/html', data: bytes('<td>3</td>') },
        { mime: 'text/plain', data: bytes('<pandas.io.formats.style.Styler at 0x7f2a>') },
      ],
      '<td>3</td>',
    ],
    [
      'an object without another form by its name',
      [{ mime: 'text/plain', data: bytes('<acme.Thing object at 0x7f2a>') }],
      '<acme.Thing object at 0x7f2a>',
    ],
    [
      'text of any other kind where there is no plainer one',
      [
        { mime: 'application/x-thing', data: new Uint8Array(1) },
        { mime: 'text/csv;charset=utf-8', data: bytes('a,b\n1,2') },
      ],
      'a,b\n1,2',
    ],
    [
      'data of a chart as the text that it is',
      [{ mime: 'application/vnd.vegalite.v5+json', data: bytes('{"mark":"bar"}') }],
      '{"mark":"bar"}',
    ],
    [
      'what cannot be read by kind and size',
      [{ mime: 'application/x-thing', data: new Uint8Array(1) }],
      '(application/x-thing, 1 byte)',
    ],
    ['nothing as nothing', [], ''],
  ];
  for (const [name, items, expected] of cases) {
    it(name, () => {
      assert.equal(outputText(items), expected);
    });
  }
});
