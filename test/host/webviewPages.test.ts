import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { fillPage } from '../../src/host/fillPage';
import { WebviewHost } from '../../src/host/webviewHost';
import { closeAll } from './editorRoom';

/** A page as VS Code got it. */
interface Page {
  readonly html: string;
  readonly options: vscode.WebviewOptions;
  readonly cspSource: string;
}

const extensionUri = (): vscode.Uri => {
  const extension = vscode.extensions.getExtension('patchbay.patchbay');
  assert.ok(extension);
  return extension.extensionUri;
};

/** Closed at the end: a tab that goes while it is being opened is an error of the workbench. */
const panels: vscode.WebviewPanel[] = [];

function pageOf(fill: (panel: vscode.WebviewPanel) => void): Page {
  const { Active } = vscode.ViewColumn;
  const panel = vscode.window.createWebviewPanel('patchbay-test', 'Test', Active, {});
  panels.push(panel);
  fill(panel);
  const { html, options, cspSource } = panel.webview;
  return { html, options, cspSource };
}

function chat(isFailure: boolean): Page {
  return pageOf(({ webview }) => {
    const host = new WebviewHost(webview, extensionUri(), 'tab-1', {
      visible: () => true,
      reveal: () => undefined,
      setTitle: () => undefined,
      setBadge: () => undefined,
    });
    if (isFailure) host.showFailure('It was <b>not</b> found.');
  });
}

/** The directives of the page's policy, by name. */
function policyOf({ html }: Page): ReadonlyMap<string, readonly string[]> {
  const text = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? '';
  return new Map(
    text.split(';').map((part) => {
      const [name = '', ...sources] = part.trim().split(/\s+/);
      return [name, sources];
    }),
  );
}

const PAGES: readonly (readonly [name: string, make: () => Page])[] = [
  ['the chat', () => chat(false)],
  ...['runTool', 'inspector', 'whatIf'].map(
    (name) =>
      [
        `the page ${name}`,
        () =>
          pageOf((panel) => {
            fillPage(panel, extensionUri(), { name, title: 'Test' });
          }),
      ] as const,
  ),
];

describe('the pages, as VS Code gets them', () => {
  after(async () => {
    await closeAll();
    for (const panel of panels) panel.dispose();
  });

  for (const [name, make] of PAGES) {
    it(`${name} runs its own script alone, and loads from the folder of its files alone`, () => {
      const page = make();
      const policy = policyOf(page);
      assert.deepEqual(policy.get('default-src'), ["'none'"]);
      const nonce = /<script [^>]*nonce="([^"]+)"/.exec(page.html)?.[1] ?? '';
      assert.ok(nonce.length >= 32, nonce);
      assert.deepEqual(policy.get('script-src'), [`'nonce-${nonce}'`]);
      for (const [directive, sources] of policy) {
        for (const source of sources) {
          const own = page.cspSource.split(' ').includes(source) || source === 'blob:';
          assert.ok(own || source === "'none'" || source.startsWith("'nonce-"), source);
          assert.doesNotMatch(source, /unsafe|\*\s*$|data:/, directive);
        }
      }
      for (const closed of ['connect-src', 'frame-src', 'worker-src', 'object-src']) {
        assert.equal(policy.get(closed), undefined, `${closed} is as closed as all else`);
      }
      assert.equal(page.html.match(/<script/g)?.length, 1);
      assert.doesNotMatch(page.html, /<[^>]*\s(?:style|on\w+)=|<style/i);
      const dist = vscode.Uri.joinPath(extensionUri(), 'dist').toString();
      const roots = page.options.localResourceRoots?.map((root) => root.toString());
      assert.deepEqual(roots, [dist]);
      assert.equal(page.options.enableScripts, true);
      assert.ok(!page.options.enableCommandUris, 'no link runs a command');
      assert.equal(page.options.portMapping, undefined);
    });
  }

  it('two pages have two nonces', () => {
    const nonce = ({ html }: Page): string | undefined => /nonce="([^"]+)"/.exec(html)?.[1];
    assert.notEqual(nonce(chat(false)), nonce(chat(false)));
  });

  it('the page of a failure runs nothing, loads nothing, and has two commands', () => {
    const page = chat(true);
    assert.deepEqual([...policyOf(page)], [['default-src', ["'none'"]]]);
    assert.equal(page.options.enableScripts, false);
    assert.deepEqual(page.options.localResourceRoots, []);
    const commands = [...page.html.matchAll(/href="command:([^"]*)"/g)].map(([, id]) => id);
    assert.deepEqual(page.options.enableCommandUris, commands);
    assert.equal(commands.length, 2);
    assert.match(page.html, /&lt;b&gt;not/);
  });
});
