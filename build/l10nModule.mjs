// @ts-check
const NAME = '@vscode/l10n';
const NAMESPACE = 'l10n-module';

/**
 * `@vscode/l10n` as an ES module. It is a cjs package: bundled as it is, each of some 300 files that
 * import it makes a namespace object with getters of its own at the start.
 *
 * @returns {import('esbuild').Plugin}
 */
export function l10nModule() {
  return {
    name: NAMESPACE,
    setup(pluginBuild) {
      pluginBuild.onResolve({ filter: new RegExp(`^${NAME}$`) }, ({ namespace, resolveDir }) =>
        // From within it is the package itself.
        namespace === NAMESPACE
          ? undefined
          : { path: NAME, namespace: NAMESPACE, pluginData: resolveDir },
      );
      pluginBuild.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ pluginData }) => ({
        contents: `import * as l10n from '${NAME}'; export const { t, config } = l10n;`,
        resolveDir: pluginData,
      }));
    },
  };
}
