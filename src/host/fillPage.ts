import { env, Uri, type WebviewPanel } from 'vscode';
import { chatHtml } from './webviewHtml';

/** Puts one of our pages, `dist/NAME.js` with its `NAME.css`, into an editor tab. */
export function fillPage(
  { webview }: WebviewPanel,
  extensionUri: Uri,
  { name, title }: { readonly name: string; readonly title: string },
): void {
  const dist = Uri.joinPath(extensionUri, 'dist');
  const uri = (file: string): string => webview.asWebviewUri(Uri.joinPath(dist, file)).toString();
  webview.options = { enableScripts: true, localResourceRoots: [dist] };
  webview.html = chatHtml({
    cspSource: webview.cspSource,
    nonce: crypto.randomUUID(),
    script: uri(`${name}.js`),
    styles: [uri(`${name}.css`)],
    language: env.language,
    title,
    place: '',
  });
}
