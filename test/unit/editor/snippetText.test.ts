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
      assert.equal(snippetText(snippet, 'word'), text);
    });
  }

  it('has what it says itself where there was no text', () => {
    assert.equal(snippetText('<${TM_SELECTED_TEXT:nothing}>$TM_SELECTED_TEXT'), '<nothing>');
  });
});
