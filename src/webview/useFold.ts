import { useState } from 'preact/hooks';
import { usePanel } from './panelContext';

/**
 * Whether something in the transcript is open, kept while it is not drawn.
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
  return [choice ?? isOpenAtFirst, set];
}
