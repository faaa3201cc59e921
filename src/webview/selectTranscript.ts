/** Ctrl+A, or Cmd+A, in the conversation selects it, and neither the header nor the message box. */
export function selectTranscript(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target, currentTarget } = event;
  if (key.toLowerCase() !== 'a' || !(ctrlKey || metaKey) || altKey || shiftKey) return;
  if (!(currentTarget instanceof Element) || !(target instanceof Element)) return;
  if (target.closest('textarea, input')) return;
  const column = currentTarget.querySelector('.column');
  if (!column) return;
  event.preventDefault();
  document.getSelection()?.selectAllChildren(column);
}
