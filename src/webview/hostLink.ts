/** The page's side of the wire to the host, the same for each of our pages. */

/**
 * Hears the host's messages. The host is ours and trusted; `types` only tells its messages from
 * others in the same window (extensions of the browser, say).
 */
export function listenToHost<Message extends { readonly type: string }>(
  types: ReadonlySet<Message['type']>,
  receive: (message: Message) => void,
): void {
  const known: ReadonlySet<string> = types;
  const isHostMessage = (value: unknown): value is Message =>
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    typeof value.type === 'string' &&
    known.has(value.type);
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (isHostMessage(event.data)) receive(event.data);
  });
}

/**
 * A key that one of our parts has taken is not the editor's as well: what reaches the window, VS Code
 * hands to its own key bindings, whatever was prevented. Ctrl+F would open two searches.
 */
export function keepTakenKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented) event.stopPropagation();
  });
}

interface ViewError {
  readonly type: 'viewError';
  readonly message: string;
}

/** Tells the host of what nobody has caught. */
export function reportFailures(post: (message: ViewError) => void): void {
  const report = (reason: unknown) => {
    const text = reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
    post({ type: 'viewError', message: text.slice(0, 4000) });
  };
  window.addEventListener('error', (event) => report(event.error ?? event.message));
  window.addEventListener('unhandledrejection', (event) => report(event.reason));
}
