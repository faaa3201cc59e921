/** Files of settings that hold secrets; those that show how one is made do not. */
const ENVIRONMENT = /^\.env(?:rc)?(?:[._~ -].*)?$/iu;
const SAMPLE = /[._-](?:example|sample|template|dist|defaults?)$/iu;
/** Keys and passwords, which stand in a workspace only where git does not see them. */
const KEYS =
  /^(?:id_(?:rsa|dsa|ecdsa|ed25519)|\.npmrc|\.netrc|\.pgpass|\.git-credentials|.+\.(?:pem|key|p12|pfx|jks|keystore|tfvars|kdbx))$/iu;

/**
 * Whether a file holds secrets by its name. `environment` counts unless git tracks the file,
 * `key` only where git ignores it: such names have other meanings too.
 */
export function secretKind(name: string): 'environment' | 'key' | undefined {
  if (ENVIRONMENT.test(name)) return SAMPLE.test(name) ? undefined : 'environment';
  return KEYS.test(name) ? 'key' : undefined;
}
