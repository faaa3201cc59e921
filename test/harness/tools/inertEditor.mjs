// @ts-check

/**
 * A `vscode` that does nothing, for `npm run tools` only. The definitions of the tools are listed
 * without VS Code, which takes ten seconds to start, yet their modules import it. No tool is called
 * here, so nothing is tested against this: a host test compares the list with the one that the real
 * extension host makes. Every member is the same inert thing, so that a server may also subscribe
 * to something while it is made.
 */
const SOURCE = `
const inert = new Proxy(function () {}, {
  get: (target, key) =>
    // A promise, an iterator or a text of it would never end.
    key === 'then' || typeof key === 'symbol' ? undefined
      : key === 'prototype' ? target.prototype : inert,
  apply: () => inert,
  construct: () => inert,
});
module.exports = inert;
`;

/** @type {import('esbuild').Plugin} */
export const inertEditor = {
  name: 'inert-editor',
  setup(build) {
    build.onResolve({ filter: /^vscode$/ }, () => ({ path: 'vscode', namespace: 'inert' }));
    build.onLoad({ filter: /.*/, namespace: 'inert' }, () => ({ contents: SOURCE, loader: 'js' }));
  },
};
