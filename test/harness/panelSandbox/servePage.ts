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

/** What a page serves and who hears it; a page that was left serves nothing. */
interface Seat {
  served: ServedPage | undefined;
  /** How often the page was opened: what an earlier use still says is not for this one. */
  turn: number;
}

const seats = new WeakMap<Page, Seat>();

/** Opens a built page of ours as VS Code would, without VS Code and without a network. */
export async function openPage(page: Page, served: ServedPage): Promise<void> {
  const seat = seats.get(page) ?? (await takeSeat(page));
  seat.served = served;
  seat.turn += 1;
  page.on('pageerror', (error) => served.failed(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error') served.failed(line.text());
  });
  await page.goto(`${ORIGIN}/`);
}

/** Empties a page that is to be opened once more: no listener, no pointer, no document. */
export async function leavePage(page: Page): Promise<void> {
  const seat = seats.get(page);
  if (seat) seat.served = undefined;
  page.removeAllListeners();
  // Outside, else the next document would find it over one of its buttons.
  await page.mouse.move(-10, -10);
  await page.goto('about:blank');
}

async function takeSeat(page: Page): Promise<Seat> {
  const seat: Seat = { served: undefined, turn: 0 };
  seats.set(page, seat);
  await page.route('**/*', async (route) => {
    const url = new URL(route.request().url());
    if (url.origin !== ORIGIN) {
      seat.served?.requested?.(url.href);
      await route.abort();
      return;
    }
    const body = seat.served && answer(url.pathname, seat.served, seat.turn);
    await route.fulfill(body ?? { status: 404, body: '' });
  });
  await page.exposeFunction('sandboxPost', (turn: number, message: unknown) =>
    turn === seat.turn ? seat.served?.received(message) : undefined,
  );
  return seat;
}

function answer(pathname: string, { files, name, theme, ground }: ServedPage, turn: number) {
  const headers = { 'content-security-policy': CSP };
  if (pathname === '/') {
    return { contentType: 'text/html', headers, body: pageHtml(name, theme, turn) };
  }
  if (pathname === '/theme.css') {
    return { contentType: 'text/css', body: themeCss(theme, ground) };
  }
  const file = files.get(pathname);
  if (!file) return undefined;
  const types: Record<string, string> = { '.css': 'text/css', '.js': 'text/javascript' };
  const contentType = types[pathname.slice(pathname.lastIndexOf('.'))] ?? 'font/ttf';
  return { contentType, body: Buffer.from(file) };
}

function pageHtml(name: string, theme: ThemeName, turn: number): string {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Patchbay</title>
<link rel="stylesheet" href="/theme.css"><link rel="stylesheet" href="/${name}.css"></head>
<body class="${THEMES[theme].bodyClass}"><div id="root"></div>
<script nonce="${NONCE}">window.acquireVsCodeApi = () => ({ postMessage: (m) => window.sandboxPost(${turn}, m), setState: () => undefined });</script>
<script type="module" nonce="${NONCE}" src="/${name}.js"></script></body></html>`;
}
