import { useState } from 'preact/hooks';
import { droppedUris, mayBringFiles } from './droppedUris';
import { usePanel } from './panelContext';
import { takeFiles } from './takeFiles';

/** What is dropped anywhere in the panel goes with the message. `isOver` while something is held over it. */
export function useDrop() {
  const { attachments, composer, post } = usePanel();
  const [isOver, setOver] = useState(false);
  return {
    isOver,
    handlers: {
      // The page's own address before a path would lead nowhere.
      onDragStart: ({ target, dataTransfer }: DragEvent) => {
        const link = target instanceof Element ? target.closest('a[data-href]') : null;
        const href = link?.getAttribute('data-href') ?? '';
        if (href !== '') dataTransfer?.setData('text/plain', href);
      },
      onDragEnter: (event: DragEvent) => {
        if (event.dataTransfer && mayBringFiles(event.dataTransfer)) setOver(true);
      },
      onDragOver: (event: DragEvent) => {
        if (!event.dataTransfer || !mayBringFiles(event.dataTransfer)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      },
      onDragLeave: ({ relatedTarget, currentTarget }: DragEvent) => {
        // By where it goes and not by counting: what was entered may be drawn anew, and tell nothing.
        const isInside =
          relatedTarget instanceof Node &&
          currentTarget instanceof Node &&
          currentTarget.contains(relatedTarget);
        if (!isInside) setOver(false);
      },
      onDrop: (event: DragEvent) => {
        setOver(false);
        const data = event.dataTransfer;
        if (!data) return;
        // With a name the agent can look for itself; of bytes alone only a picture can be sent.
        const uris = droppedUris(data);
        const files = [...data.files];
        // A link was held over it: it is told to be taken, and so the box does not take it itself.
        const words = mayBringFiles(data) ? data.getData('text/plain').trim() : '';
        if (uris.length === 0 && files.length === 0 && words === '') return;
        event.preventDefault();
        if (uris.length > 0) post({ type: 'dropFiles', uris: uris.slice(0, 200) });
        else if (files.length > 0) takeFiles(files, attachments);
        else composer.insertInline(`${words} `);
      },
    },
  };
}
