/** @throws Error for what is no text, which the CLI would never answer. Other extensions may be plain JavaScript. */
export function checkPrompt(prompt: unknown): void {
  if (typeof prompt === 'string' && prompt.trim() !== '') return;
  throw new Error('prompt must be a text, and not empty');
}
