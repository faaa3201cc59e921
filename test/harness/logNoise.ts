/**
 * Lines that VS Code's server writes on every run here and that say nothing about the product:
 * the price of an installation without a native build, and services that are not on loopback.
 */
const NOISE: readonly RegExp[] = [
  /Could not locate the bindings file/,
  /Cannot find module '\.\/build\/Release\/watchdog'/,
  /\[(AgentHost|AccountPolicyGate|ChatModelSelection|Service Worker|reconnection-grace-time)/,
  /authentication provider 'github'/i,
  /open-vsx\.org|api\.github\.com/,
  /^(Resolv(ing|ed) connection token|Creating a socket|Updating additional builtin)/,
  /ExtensionHostAgent|Extension host agent/,
  /rejected promise not handled within 1 second: (Error: )?(Canceled|Could not locate)/,
];

/** True for a log line, or a whole logged error, that is known and harmless. */
export function isLogNoise(text: string): boolean {
  return NOISE.some((pattern) => pattern.test(text));
}
