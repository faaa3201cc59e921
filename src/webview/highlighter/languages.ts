import type { LanguageFn } from 'highlight.js';

export interface Language {
  /** In this bundle, too, but not run before it is asked for. */
  readonly load: () => Promise<{ readonly default: LanguageFn }>;
  /** Its other names, as its grammar gives them: they are asked for before it is made. */
  readonly aliases?: readonly string[];
  /** What its grammar hands parts of a code to. */
  readonly inside?: readonly string[];
}

/** Those that answers are full of. */
export const LANGUAGES: Readonly<Record<string, Language>> = {
  bash: { load: () => import('highlight.js/lib/languages/bash'), aliases: ['sh', 'zsh'] },
  c: { load: () => import('highlight.js/lib/languages/c'), aliases: ['h'] },
  cpp: {
    load: () => import('highlight.js/lib/languages/cpp'),
    aliases: ['cc', 'c++', 'h++', 'hpp', 'hh', 'hxx', 'cxx'],
  },
  csharp: { load: () => import('highlight.js/lib/languages/csharp'), aliases: ['cs', 'c#'] },
  css: { load: () => import('highlight.js/lib/languages/css') },
  dart: { load: () => import('highlight.js/lib/languages/dart'), inside: ['markdown'] },
  diff: { load: () => import('highlight.js/lib/languages/diff'), aliases: ['patch'] },
  dockerfile: {
    load: () => import('highlight.js/lib/languages/dockerfile'),
    aliases: ['docker'],
    inside: ['bash'],
  },
  go: { load: () => import('highlight.js/lib/languages/go'), aliases: ['golang'] },
  graphql: { load: () => import('highlight.js/lib/languages/graphql'), aliases: ['gql'] },
  ini: { load: () => import('highlight.js/lib/languages/ini'), aliases: ['toml'] },
  java: { load: () => import('highlight.js/lib/languages/java'), aliases: ['jsp'] },
  javascript: {
    load: () => import('highlight.js/lib/languages/javascript'),
    aliases: ['js', 'jsx', 'mjs', 'cjs'],
    inside: ['css', 'graphql', 'xml'],
  },
  json: { load: () => import('highlight.js/lib/languages/json'), aliases: ['jsonc', 'json5'] },
  kotlin: {
    load: () => import('highlight.js/lib/languages/kotlin'),
    aliases: ['kt', 'kts', 'ktm', 'ktx'],
  },
  less: { load: () => import('highlight.js/lib/languages/less') },
  lua: { load: () => import('highlight.js/lib/languages/lua'), aliases: ['pluto'] },
  makefile: {
    load: () => import('highlight.js/lib/languages/makefile'),
    aliases: ['mk', 'mak', 'make'],
  },
  markdown: {
    load: () => import('highlight.js/lib/languages/markdown'),
    aliases: ['md', 'mkdown', 'mkd'],
    inside: ['xml'],
  },
  php: { load: () => import('highlight.js/lib/languages/php') },
  powershell: {
    load: () => import('highlight.js/lib/languages/powershell'),
    aliases: ['pwsh', 'ps', 'ps1'],
  },
  python: {
    load: () => import('highlight.js/lib/languages/python'),
    aliases: ['py', 'gyp', 'ipython'],
  },
  r: { load: () => import('highlight.js/lib/languages/r') },
  ruby: {
    load: () => import('highlight.js/lib/languages/ruby'),
    aliases: ['rb', 'gemspec', 'podspec', 'thor', 'irb'],
  },
  rust: { load: () => import('highlight.js/lib/languages/rust'), aliases: ['rs'] },
  scss: { load: () => import('highlight.js/lib/languages/scss') },
  shell: {
    load: () => import('highlight.js/lib/languages/shell'),
    aliases: ['console', 'shellsession'],
    inside: ['bash'],
  },
  sql: { load: () => import('highlight.js/lib/languages/sql') },
  swift: { load: () => import('highlight.js/lib/languages/swift') },
  typescript: {
    load: () => import('highlight.js/lib/languages/typescript'),
    aliases: ['ts', 'tsx', 'mts', 'cts'],
    inside: ['css', 'graphql', 'xml'],
  },
  xml: {
    load: () => import('highlight.js/lib/languages/xml'),
    aliases: ['html', 'xhtml', 'rss', 'atom', 'xjb', 'xsd', 'xsl', 'plist', 'wsf', 'svg'],
    inside: ['css', 'javascript'],
  },
  yaml: {
    load: () => import('highlight.js/lib/languages/yaml'),
    aliases: ['yml'],
    inside: ['ruby'],
  },
};
