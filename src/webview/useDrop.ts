import { useState } from 'preact/hooks';
import { droppedUris, mayBringFiles } from './droppedUris';
import { usePanel } from './panelContext';
import { takeFiles } from './takeFiles';

/** What is dropped anywhere in the panel goes with the message. `isOver` while something is held over it. */
export function useDrop() {
  const { attachments, post } = usePanel();
  const [isOver, setOver] = useState(false);
  return {
    isOver,
    handlers: {
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
        if (uris.length === 0 && files.length === 0) return;
        event.preventDefault();
        if (uris.length > 0) post({ type: 'dropFiles', uris: uris.slice(0, 200) });
        else takeFiles(files, attachments);
      },
    },
  };
}
