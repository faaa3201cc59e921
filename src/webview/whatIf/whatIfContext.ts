import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { WhatIfMessage } from '../../chat/whatIfProtocol';
import type { WhatIfStore } from './whatIfStore';

/** What every part of the page can reach. */
export interface WhatIfPage {
  readonly store: WhatIfStore;
  readonly post: (message: WhatIfMessage) => void;
}

const context = createContext<WhatIfPage | undefined>(undefined);

export const WhatIfProvider = context.Provider;

export function useWhatIf(): WhatIfPage {
  const page = useContext(context);
  if (!page) throw new Error('This component stands outside the page of rules');
  return page;
}
