import { changeBetween } from '../base/changeBetween';

/**
 * Makes `target` hold what `source` holds, touching only what differs. Growing text is appended to
 * the text node that is there, so that a selection inside a streaming block survives.
 */
export function morph(target: Node, source: Node): void {
  let have = target.firstChild;
  let want = source.firstChild;
  while (want) {
    const nextWant = want.nextSibling;
    if (!have) {
      target.appendChild(want);
    } else if (isSameKind(have, want)) {
      const nextHave: ChildNode | null = have.nextSibling;
      morphNode(have, want);
      have = nextHave;
    } else if (comesLater(have, want)) {
      target.insertBefore(want, have);
    } else {
      const nextHave: ChildNode | null = have.nextSibling;
      target.replaceChild(want, have);
      have = nextHave;
    }
    want = nextWant;
  }
  while (have) {
    const next: ChildNode | null = have.nextSibling;
    have.remove();
    have = next;
  }
}

/** Code in an item whose words become a paragraph is the same code: its focus and its look stay. */
function comesLater(have: Node, want: Node): boolean {
  if (!(have instanceof Element)) return false;
  for (let next = want.nextSibling; next; next = next.nextSibling) {
    if (isSameKind(have, next)) return true;
  }
  return false;
}

function isSameKind(a: Node, b: Node): boolean {
  return a.nodeType === b.nodeType && a.nodeName === b.nodeName;
}

function morphNode(have: Node, want: Node): void {
  if (have instanceof Text && want instanceof Text) {
    morphText(have, want.data);
    return;
  }
  if (have instanceof Element && want instanceof Element && !isNamed(have, want)) {
    morphAttributes(have, want);
  }
  morph(have, want);
}

/**
 * Changes no more of a text than differs: what is selected in the rest stays so, also where words
 * become code or a link that were plain as long as it was open.
 */
export function morphText(have: Text, data: string): void {
  const { data: old } = have;
  if (old === data) return;
  if (data.startsWith(old)) {
    have.appendData(data.slice(old.length));
    return;
  }
  const { offset, length, text } = changeBetween(old, data);
  have.replaceData(offset, length, text);
}

/** A cited name that has become a link is one as long as it is that name, and keeps the focus. */
function isNamed(have: Element, want: Element): boolean {
  return have.matches('.symbol-link') && have.textContent === want.textContent;
}

function morphAttributes(have: Element, want: Element): void {
  for (const { name } of [...have.attributes]) {
    if (!want.hasAttribute(name)) have.removeAttribute(name);
  }
  for (const { name, value } of want.attributes) {
    if (have.getAttribute(name) !== value) have.setAttribute(name, value);
  }
}
