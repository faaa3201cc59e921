export interface ChatHtmlOptions {
  readonly cspSource: string;
  readonly nonce: string;
  /** URIs as the webview sees them. */
  readonly script: string;
  readonly styles: readonly string[];
  /** BCP 47, for screen readers. */
  readonly language: string;
  readonly title: string;
  /** Id of the conversation's place; the script keeps it as its state, so that a tab finds back. */
  readonly place: string;
}

/** The page of the chat. Strict: own script by nonce, own styles and fonts, nothing from afar. */
export function chatHtml(options: ChatHtmlOptions): string {
  const { cspSource, nonce } = options;
  const policy = [
    "default-src 'none'",
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    // Pictures that the page's own script makes of bytes; what the model writes can make no such address.
    `img-src ${cspSource} blob:`,
    `script-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ];
  const styles = options.styles.map((uri) => `<link rel="stylesheet" href="${escapeHtml(uri)}">`);
  return page(options, policy, styles, [
    '<div id="root"></div>',
    `<script type="module" nonce="${nonce}" src="${escapeHtml(options.script)}"></script>`,
  ]);
}

export interface FailureHtmlOptions {
  readonly language: string;
  readonly title: string;
  readonly message: string;
  readonly details: string;
  /** Links to commands; the webview must allow exactly these. */
  readonly links: readonly { readonly command: string; readonly label: string }[];
}

/** The page that is shown when the chat itself could not be loaded: no script, no style. */
export function failureHtml(options: FailureHtmlOptions): string {
  const links = options.links.map(
    (link) => `<a href="command:${escapeHtml(link.command)}">${escapeHtml(link.label)}</a>`,
  );
  return page(
    { ...options, place: '' },
    ["default-src 'none'"],
    [],
    [
      `<main role="alert"><h2>${escapeHtml(options.message)}</h2>`,
      // Paragraphs wrap in a narrow view, and no style is allowed here to make anything else do so.
      ...options.details.split('\n').map((line) => `<p>${escapeHtml(line)}</p>`),
      `<p>${links.join(' · ')}</p></main>`,
    ],
  );
}

function page(
  options: { readonly language: string; readonly title: string; readonly place: string },
  policy: readonly string[],
  head: readonly string[],
  body: readonly string[],
): string {
  return [
    '<!DOCTYPE html>',
    `<html lang="${escapeHtml(options.language)}">`,
    '<head>',
    '<meta charset="UTF-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1.0">',
    `<title>${escapeHtml(options.title)}</title>`,
    ...head,
    '</head>',
    `<body data-place="${escapeHtml(options.place)}">`,
    ...body,
    '</body>',
    '</html>',
  ].join('\n');
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
