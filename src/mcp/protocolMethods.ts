/** What the router serves by itself, for every server. */
export const METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
] as const;
export type Method = (typeof METHODS)[number];

const SERVED = new Set<string>([
  ...METHODS,
  'notifications/cancelled',
  'notifications/initialized',
  'notifications/progress',
]);

/** True for what a server may not take over. */
export function isProtocolMethod(name: string): boolean {
  return SERVED.has(name);
}
