/** A word of a shell, with the blanks that are in quotes or behind a backslash. */
const WORD = /(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'])+|["']/gs;
const NAME = String.raw`[\w-]*(?:auth|key|token|secret|pass|pwd|cookie|credential)[\w-]*`;
/** A header, a field of JSON or a variable: what stands behind the name belongs to it. */
const NAMED = new RegExp(String.raw`(${NAME}(?:\\?["'])?\s*[:=]).*[^"']`, 'is');
/** The value is the next word. */
const NAMES_NEXT = new RegExp(`^["']?${NAME}["']?[:=]?$`, 'i');
/** Variables and long options have any name. */
const ASSIGNED = /^(["']?(?:-[^=\s]*|[A-Za-z_]\w*)=).*[^"']/s;
const PART_OF_ADDRESS = /([?&][^\s=&"']+=)[^\s&"']+/g;
const PERSON_OF_ADDRESS = /(:\/\/)[^\s/@"']+(?=@)/g;
const IS_PERSON = /^(?:-[uU]|--(?:proxy-)?user)$/;
/** `-pSECRET`, `-ume:SECRET`. */
const GLUED = /^(-p(?=[^"'=-].{3})|-[uU](?=[^-].*:)).+/s;
/** Programs that take a password behind a short option which elsewhere is a port or a folder. */
const TAKES_PASSWORD =
  /(?:^|[\\/"'])(?:sshpass|redis-cli|mongo\w*|sqlcmd|bcp|ldap\w+|rabbitmqadmin|login|htpasswd|kinit|smbclient)(?:\.exe)?["']?$/i;
const SHORT_PASSWORD = /^-[paPw]$/;
const ENDS_COMMAND = /[;|&]$/;
const SCHEME = /^(?:bearer|basic|token)$/i;

/** A command of somebody's own without what may be a secret by its name or its place, however short it is. */
export function hideInCommand(text: string): string {
  let isNamed = false;
  let takesPassword = false;
  let before = '';
  return text.replace(WORD, (word) => {
    const isValue =
      (isNamed && !word.startsWith('-')) ||
      (IS_PERSON.test(before) && word.includes(':')) ||
      (takesPassword && SHORT_PASSWORD.test(before));
    before = word;
    takesPassword = (takesPassword || TAKES_PASSWORD.test(word)) && !ENDS_COMMAND.test(word);
    // Behind `Bearer` it comes only then.
    if (isNamed && SCHEME.test(word)) return word;
    isNamed = !isValue && NAMES_NEXT.test(word);
    return isValue ? '•••' : hideInWord(word);
  });
}

/** The same of one word, or of one argument. */
export function hideInWord(word: string): string {
  const plain = word.replace(PERSON_OF_ADDRESS, '$1•••').replace(PART_OF_ADDRESS, '$1•••');
  for (const form of [ASSIGNED, NAMED, GLUED]) {
    if (form.test(plain)) return plain.replace(form, '$1•••');
  }
  // What is quoted, or one argument, may be a command itself.
  const [, quote = '', inner = ''] = /^(["']?)(.*)\1$/s.exec(plain) ?? [];
  return /\s/.test(inner) && inner !== '' ? `${quote}${hideInCommand(inner)}${quote}` : plain;
}
