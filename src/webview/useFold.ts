import { useState } from 'preact/hooks';
import { usePanel } from './panelContext';
import { useCollapse } from './useCollapse';

/**
 * Whether something in the transcript is open, kept while it is not drawn, until all is folded.
 * @param name of its own; undefined for what stands elsewhere and is always drawn
 * @param isOpenAtFirst as it is until the reader says otherwise
 */
export function useFold(
  name: string | undefined,
  isOpenAtFirst = false,
): readonly [isOpen: boolean, set: (isOpen: boolean) => void] {
  const { folds } = usePanel();
  const [choice, setChoice] = useState(() => (name === undefined ? undefined : folds.get(name)));
  const set = (isOpen: boolean): void => {
    if (name !== undefined) folds.set(name, isOpen);
    setChoice(isOpen);
  };
  useCollapse(() => {
    if (name !== undefined) set(false);
  });
  return [choice ?? isOpenAtFirst, set];
}
