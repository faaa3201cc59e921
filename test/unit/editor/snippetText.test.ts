import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { snippetText } from '../../../src/editor/snippetText';

describe('a snippet that nobody fills in', () => {
  const cases: readonly (readonly [snippet: string, text: string])[] = [
    ['**${TM_SELECTED_TEXT}**$0', '**word**'],
    ['**$TM_SELECTED_TEXT**', '**word**'],
    ['${1:(${TM_SELECTED_TEXT:nothing})}', '(word)'],
    ['${TM_SELECTED_TEXT/(.*)/${1:/upcase}/}', 'word'],
    ['${1:first} ${2|one,two|} $TM_FILENAME$0', 'first one '],
  ];
  for (const [snippet, text] of cases) {
    it(`${snippet} keeps the text in whose place it comes`, () => {
      assert.equal(snippetText(snippet, { selected: 'word' }), text);
    });
  }

  it('has what it says itself where there was no text', () => {
    assert.equal(snippetText('<${TM_SELECTED_TEXT:nothing}>$TM_SELECTED_TEXT'), '<nothing>');
  });

  const plain: readonly (readonly [snippet: string, text: string])[] = [
    ['fn $0fun_name($1a, ${2}b) $3_c $$ $-', 'fn fun_name(a, b) _c $$ $-'],
    ['const ${1:made} = 1;\nuse($1, ${1}, ${1:other})', 'const made = 1;\nuse(made, made, made)'],
    ['$1 is ${1|one,two|}, ${2:$1 of $3} ${3:three}', 'one is one, one of three three'],
    ['${0:here} $0', 'here '],
    ['costs ${1x} and ${1:open', 'costs ${1x} and open'],
  ];
  for (const [snippet, text] of plain) {
    it(`${snippet} loses nothing of its text, and has in a field what stands in it elsewhere`, () => {
      assert.equal(snippetText(snippet), text);
    });
  }

  it('has its lines where the line stands that it is put in, and in the tabs of the text', () => {
    const block = '\tif (${1:yes}) {\r\n\t\t$TM_SELECTED_TEXT\r\n\t}\n$0';
    const selected = 'first();\n    second();';
    assert.equal(
      snippetText(block, { selected, indent: '    ', tab: '  ' }),
      '  if (yes) {\r\n        first();\n        second();\r\n      }\n    ',
    );
    assert.equal(snippetText('{\n\t$TM_SELECTED_TEXT\n}', { selected: 'a' }), '{\n\ta\n}');
  });
});
