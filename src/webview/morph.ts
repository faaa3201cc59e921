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

function isSameKind(a: Node, b: Node): boolean {
  return a.nodeType === b.nodeType && a.nodeName === b.nodeName;
}

function morphNode(have: Node, want: Node): void {
  if (have instanceof Text && want instanceof Text) {
    morphText(have, want.data);
    return;
  }
  if (have instanceof Element && want instanceof Element) morphAttributes(have, want);
  morph(have, want);
}

function morphText(have: Text, data: string): void {
  if (have.data === data) return;
  if (data.startsWith(have.data)) have.appendData(data.slice(have.data.length));
  else have.data = data;
}

function morphAttributes(have: Element, want: Element): void {
  for (const { name } of [...have.attributes]) {
    if (!want.hasAttribute(name)) have.removeAttribute(name);
  }
  for (const { name, value } of want.attributes) {
    if (have.getAttribute(name) !== value) have.setAttribute(name, value);
  }
}
