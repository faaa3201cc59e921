import type { StateCore, Token } from 'markdown-it';
import { findFilePlaces } from '../base/filePlaces';
import { linkTarget } from './markdownLinks';

/** Of links that the words themselves are, so that a copy has the words alone. */
const PLACE_CLASS = 'place-link';

/**
 * Makes links of the places in files that plain words and code name, such as `src/a.ts:12:3`. What
 * stands in a link already stays as it is. @returns the inline tokens, new ones where there is a place
 */
export function linkPlaces(children: readonly Token[], state: StateCore): Token[] {
  let insideLink = 0;
  return children.flatMap((token) => {
    if (token.type === 'link_open') insideLink += 1;
    else if (token.type === 'link_close') insideLink -= 1;
    if (insideLink > 0) return [token];
    if (token.type === 'text') return linkInText(token, state);
    return token.type === 'code_inline' ? linkCode(token, state) : [token];
  });
}

function linkInText(token: Token, state: StateCore): Token[] {
  const { content } = token;
  const places = findFilePlaces(content);
  if (places.length === 0) return [token];
  const tokens: Token[] = [];
  let from = 0;
  for (const { start, end, href } of places) {
    if (start > from) tokens.push(text(content.slice(from, start), state));
    tokens.push(...link(text(content.slice(start, end), state), href, state));
    from = end;
  }
  if (from < content.length) tokens.push(text(content.slice(from), state));
  return tokens;
}

/** Code is a link where all of it is a place. */
function linkCode(token: Token, state: StateCore): Token[] {
  const [place] = findFilePlaces(token.content);
  const isWhole = place?.start === 0 && place.end === token.content.length;
  return isWhole ? link(token, place.href, state) : [token];
}

function link(inside: Token, href: string, state: StateCore): Token[] {
  const open = new state.Token('link_open', 'a', 1);
  open.attrs = [
    ['class', PLACE_CLASS],
    ['href', linkTarget(href)],
    ['data-href', href],
  ];
  return [open, inside, new state.Token('link_close', 'a', -1)];
}

function text(content: string, state: StateCore): Token {
  const token = new state.Token('text', '', 0);
  token.content = content;
  return token;
}
