const FIELD = /\$\{\w+/uy;
const BARE = /\$(?:\w+|\{\w+\})/uy;
/** The first choice, and those behind it. */
const CHOICE = /\|((?:[^\\,|]|\\.)*)(?:,(?:[^\\|]|\\.)*)?\|\}/suy;
const TRANSFORM = /\/(?:[^\\}$]|\\.|\$\{[^}]*\}|\$)*\}/suy;

/** What a snippet of the editor puts in where nobody fills it in: what stands there at first. */
export function snippetText(snippet: string): string {
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(snippet);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const field = (): string => {
    if (take(BARE)) return '';
    const start = at;
    if (take(FIELD)) {
      const choice = take(CHOICE);
      if (choice) return (choice[1] ?? '').replace(/\\(.)/gsu, '$1');
      if (take(TRANSFORM)) return '';
      if (snippet[at] === ':') {
        at += 1;
        return until('}');
      }
    }
    at = start + 1;
    return '$';
  };
  const until = (end: string): string => {
    let text = '';
    while (at < snippet.length) {
      if (snippet[at] === '$') text += field();
      else {
        if (snippet[at] === '\\' && /[$}\\]/u.test(snippet[at + 1] ?? '')) at += 1;
        else if (snippet[at] === end) break;
        text += snippet[at] ?? '';
        at += 1;
      }
    }
    at += end.length;
    return text;
  };
  return until('');
}
