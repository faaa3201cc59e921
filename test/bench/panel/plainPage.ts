import type { Patch } from '../../../src/chat/patchProtocol';
import { type PanelSandbox, postSteadily } from '../../harness/panelSandbox/sandbox';
import { PageMeter, settle } from './pageMeter';

/**
 * The yardstick: the same messages in the same browser, and all that is done is text that grows, a node
 * for each paragraph: in a single one each line is broken anew each time, which no chat does.
 */
export async function openPlainPage(sandbox: PanelSandbox) {
  const page = await sandbox.newPage({ width: 400, height: 980 });
  await page.setContent('<div id="scroller"></div><textarea></textarea>');
  await page.evaluate(() => {
    const scroller = document.getElementById('scroller');
    const begin = (): Text => {
      const text = document.createTextNode('');
      const paragraph = document.createElement('p');
      paragraph.append(text);
      scroller?.append(paragraph);
      return text;
    };
    let text = begin();
    scroller?.setAttribute('style', 'height: 900px; overflow-y: auto; white-space: pre-wrap');
    window.addEventListener(
      'message',
      ({ data }: MessageEvent<{ patches: { text: string }[] }>) => {
        for (const patch of data.patches) {
          const [first = '', ...others] = patch.text.split('\n\n');
          text.appendData(first);
          for (const words of others) {
            text = begin();
            text.appendData(words);
          }
        }
        if (scroller) scroller.scrollTop = scroller.scrollHeight;
      },
    );
  });
  await settle(page);
  return {
    page,
    meter: await PageMeter.of(page),
    stream: (batches: readonly (readonly Patch[])[], everyMs: number) =>
      page.evaluate(postSteadily, { messages: batches.map((patches) => ({ patches })), everyMs }),
    close: () => page.context().close(),
  };
}
