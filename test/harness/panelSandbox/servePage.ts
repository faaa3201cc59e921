import type { Page } from 'playwright-core';
import { THEMES, themeCss, type ThemeName } from './themes';

// Served from memory; https makes it a secure context, as a webview is.
const ORIGIN = 'https://panel.invalid';
const NONCE = 'c2FuZGJveA';
/** The product's policy, with this page's origin for the webview's. */
const CSP = `default-src 'none'; style-src ${ORIGIN}; font-src ${ORIGIN}; script-src 'nonce-${NONCE}'; img-src ${ORIGIN} blob:`;

export interface ServedPage {
  /** Path to bytes. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Of its script and its sheet. */
  readonly name: string;
  readonly theme: ThemeName;
  readonly ground: 'sideBar' | 'editor';
  /** What the page posts; nothing else of ours can post. */
  readonly received: (message: unknown) => unknown;
  /** What it logged as an error. */
  readonly failed: (text: string) => void;
  /** An address outside that something tried to load. */
  readonly requested?: (url: string) => void;
}

/** Opens a built page of ours as VS Code would, without VS Code and without a network. */
export async function openPage(page: Page, served: ServedPage): Promise<void> {
  await page.route('**/*', async (route) => {
    const url = new URL(route.request().url());
    if (url.origin !== ORIGIN) {
      served.requested?.(url.href);
      await route.abort();
      return;
    }
    await route.fulfill(answer(url.pathname, served) ?? { status: 404, body: '' });
  });
  await page.exposeFunction('sandboxPost', (message: unknown) => served.received(message));
  page.on('pageerror', (error) => served.failed(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error') served.failed(line.text());
  });
  await page.goto(`${ORIGIN}/`);
}

function answer(pathname: string, { files, name, theme, ground }: ServedPage) {
  const headers = { 'content-security-policy': CSP };
  if (pathname === '/') return { contentType: 'text/html', headers, body: pageHtml(name, theme) };
  if (pathname === '/theme.css') {
    return { contentType: 'text/css', body: themeCss(theme, ground) };
  }
  const file = files.get(pathname);
  if (!file) return undefined;
  const types: Record<string, string> = { '.css': 'text/css', '.js': 'text/javascript' };
  const contentType = types[pathname.slice(pathname.lastIndexOf('.'))] ?? 'font/ttf';
  return { contentType, body: Buffer.from(file) };
}

function pageHtml(name: string, theme: ThemeName): string {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Patchbay</title>
<link rel="stylesheet" href="/theme.css"><link rel="stylesheet" href="/${name}.css"></head>
<body class="${THEMES[theme].bodyClass}"><div id="root"></div>
<script nonce="${NONCE}">window.acquireVsCodeApi = () => ({ postMessage: (m) => window.sandboxPost(m), setState: () => undefined });</script>
<script type="module" nonce="${NONCE}" src="/${name}.js"></script></body></html>`;
}
