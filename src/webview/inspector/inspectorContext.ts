import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { InspectorMessage } from '../../chat/inspectorProtocol';
import type { InspectorStore } from './inspectorStore';

/** What every part of the inspector can reach. */
export interface Inspector {
  readonly store: InspectorStore;
  readonly post: (message: InspectorMessage) => void;
}

const context = createContext<Inspector | undefined>(undefined);

export const InspectorProvider = context.Provider;

export function useInspector(): Inspector {
  const inspector = useContext(context);
  if (!inspector) throw new Error('This component stands outside the inspector');
  return inspector;
}
