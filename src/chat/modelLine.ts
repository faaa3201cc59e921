import * as l10n from '@vscode/l10n';
import type { ModelContext } from './modelContext';

/**
 * The person chose a model: where something was said before, a quiet line says in its place who
 * answers from there on. As long as nothing follows it, one line stands for all choices.
 */
export function chooseModel(context: ModelContext, model: string): void {
  const { store, items, chosen } = context;
  const { state } = store;
  const last = chosen.line?.id === state.items.at(-1)?.id ? chosen.line : undefined;
  const before = last?.before ?? state.model;
  store.setFields({ model });
  if (last) store.removeItem(last.id);
  chosen.line = undefined;
  const isSaid = state.items.some(({ kind }) => kind === 'user' || kind === 'assistant');
  // Before the agent has told its models nobody knows which one it was.
  if (!isSaid || before === '' || before === model) return;
  const label = state.models.find(({ id }) => id === model)?.label ?? model;
  chosen.line = { id: items.aside(l10n.t('The model is now {0}.', label)), before };
}
