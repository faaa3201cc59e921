import { useLayoutEffect, useRef } from 'preact/hooks';
import { effect } from '@preact/signals';
import { MarkdownView } from './markdownView';
import { usePanel } from './panelContext';

/**
 * The model's words. The component itself is drawn once; growing text goes straight to the
 * {@link MarkdownView}, past the virtual DOM.
 */
export function TextBlockView(props: { readonly itemId: string; readonly blockId: string }) {
  const { itemId, blockId } = props;
  const { store, announcer, colours } = usePanel();
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = root.current;
    if (!element) return undefined;
    // What stands there already was said before, or is not new; what still comes is.
    let isOld = store.isKnown(blockId);
    const view = new MarkdownView(element, colours, (texts) => {
      if (!isOld) for (const text of texts) announcer.say(text);
    });
    const stop = effect(() => {
      store.watch(`text:${blockId}`);
      const block = store.block(itemId, blockId);
      if (block?.kind === 'text') {
        const grown = block.streaming ? store.takeGrowth(blockId) : undefined;
        if (grown === undefined) view.update(block.text, !block.streaming);
        else view.grow(grown);
      }
      isOld = false;
    });
    store.know(blockId);
    return () => {
      stop();
      store.dropGrowth(blockId);
      view.dispose();
    };
  }, [store, announcer, colours, itemId, blockId]);
  // What is folded away with its agent is not searched.
  const isOfAgent = store.block(itemId, blockId)?.parentToolUseId !== undefined;
  return <div class="text" data-find={isOfAgent ? undefined : blockId} ref={root} />;
}
