/** The proxy of the editor's own settings, for a CLI that reads variables only. */

export interface ProxySettings {
  /** `http.proxy`; empty for none. May hold a password: never logged. */
  readonly proxy: string;
  /** `http.noProxy`: hosts that are reached without it. */
  readonly noProxy: readonly string[];
  /** `http.proxySupport`; `off` means that extensions have none. */
  readonly support: string;
}

/**
 * The variables to add to the environment. What the person's environment says already wins, each
 * variable for itself and in either case of its name; `ALL_PROXY` speaks for both.
 */
export function proxyVariables(
  settings: ProxySettings,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const proxy = settings.proxy.trim();
  if (proxy === '' || settings.support === 'off') return {};
  const isSet = (name: string): boolean =>
    (env[name] ?? '') !== '' || (env[name.toLowerCase()] ?? '') !== '';
  if (isSet('ALL_PROXY')) return {};
  const added = Object.fromEntries(
    ['HTTPS_PROXY', 'HTTP_PROXY'].filter((name) => !isSet(name)).map((name) => [name, proxy]),
  );
  if (Object.keys(added).length === 0 || settings.noProxy.length === 0 || isSet('NO_PROXY')) {
    return added;
  }
  return { ...added, NO_PROXY: settings.noProxy.join(',') };
}
