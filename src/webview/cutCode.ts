import * as l10n from '@vscode/l10n';
import { DRAWN_LINES, type LongCode } from '../chat/longCodeProtocol';

/** By the box of code that is drawn in part: all of it. */
const wholes = new WeakMap<Element, string>();

/** The code of a box as it was written. */
export function wholeCode(box: Element): string | undefined {
  return wholes.get(box) ?? box.querySelector('pre')?.textContent;
}

/** Says under each box that is drawn in part how much there is, before the nodes are put in their place. */
export function noteCuts(nodes: ParentNode, cuts: readonly LongCode[]): void {
  for (const [index, box] of cutBoxes(nodes).entries()) {
    const cut = cuts[index];
    if (!cut) return;
    const note = document.createElement('div');
    note.className = 'md-code-more';
    const words = document.createElement('span');
    words.textContent = l10n.t('The beginning of {0} lines', cut.lines.toLocaleString());
    if (cut.lines > DRAWN_LINES) {
      words.textContent = l10n.t('{0} of {1} lines', DRAWN_LINES, cut.lines.toLocaleString());
    }
    const button = document.createElement('button');
    button.type = 'button';
    // It does what the button over the code does, with all of it.
    button.className = 'button secondary md-code-action md-code-newFile';
    button.textContent = l10n.t('Open all of it');
    note.append(words, button);
    box.append(note);
  }
}

/** Once they are in their place. */
export function keepCuts(block: ParentNode, cuts: readonly LongCode[]): void {
  for (const box of block.querySelectorAll('.md-code')) wholes.delete(box);
  for (const [index, box] of cutBoxes(block).entries()) {
    const cut = cuts[index];
    if (cut) wholes.set(box, cut.code);
  }
}

function cutBoxes(root: ParentNode): Element[] {
  return [...root.querySelectorAll('.md-code')].filter((box) => box.querySelector('.cut-code'));
}
