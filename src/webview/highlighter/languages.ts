import type { LanguageFn } from 'highlight.js';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import dart from 'highlight.js/lib/languages/dart';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import graphql from 'highlight.js/lib/languages/graphql';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import less from 'highlight.js/lib/languages/less';
import lua from 'highlight.js/lib/languages/lua';
import makefile from 'highlight.js/lib/languages/makefile';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import powershell from 'highlight.js/lib/languages/powershell';
import python from 'highlight.js/lib/languages/python';
import r from 'highlight.js/lib/languages/r';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import scss from 'highlight.js/lib/languages/scss';
import shell from 'highlight.js/lib/languages/shell';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

export interface Language {
  /** Makes its grammar, which takes about 1 ms. */
  readonly define: LanguageFn;
  /** Its other names, as its grammar gives them: they are asked for before it is made. */
  readonly aliases?: readonly string[];
  /** What its grammar hands parts of a code to. */
  readonly inside?: readonly string[];
}

/** Those that answers are full of. */
export const LANGUAGES: Readonly<Record<string, Language>> = {
  bash: { define: bash, aliases: ['sh', 'zsh'] },
  c: { define: c, aliases: ['h'] },
  cpp: { define: cpp, aliases: ['cc', 'c++', 'h++', 'hpp', 'hh', 'hxx', 'cxx'] },
  csharp: { define: csharp, aliases: ['cs', 'c#'] },
  css: { define: css },
  dart: { define: dart, inside: ['markdown'] },
  diff: { define: diff, aliases: ['patch'] },
  dockerfile: { define: dockerfile, aliases: ['docker'], inside: ['bash'] },
  go: { define: go, aliases: ['golang'] },
  graphql: { define: graphql, aliases: ['gql'] },
  ini: { define: ini, aliases: ['toml'] },
  java: { define: java, aliases: ['jsp'] },
  javascript: {
    define: javascript,
    aliases: ['js', 'jsx', 'mjs', 'cjs'],
    inside: ['css', 'graphql', 'xml'],
  },
  json: { define: json, aliases: ['jsonc', 'json5'] },
  kotlin: { define: kotlin, aliases: ['kt', 'kts', 'ktm', 'ktx'] },
  less: { define: less },
  lua: { define: lua, aliases: ['pluto'] },
  makefile: { define: makefile, aliases: ['mk', 'mak', 'make'] },
  markdown: { define: markdown, aliases: ['md', 'mkdown', 'mkd'], inside: ['xml'] },
  php: { define: php },
  powershell: { define: powershell, aliases: ['pwsh', 'ps', 'ps1'] },
  python: { define: python, aliases: ['py', 'gyp', 'ipython'] },
  r: { define: r },
  ruby: { define: ruby, aliases: ['rb', 'gemspec', 'podspec', 'thor', 'irb'] },
  rust: { define: rust, aliases: ['rs'] },
  scss: { define: scss },
  shell: { define: shell, aliases: ['console', 'shellsession'], inside: ['bash'] },
  sql: { define: sql },
  swift: { define: swift },
  typescript: {
    define: typescript,
    aliases: ['ts', 'tsx', 'mts', 'cts'],
    inside: ['css', 'graphql', 'xml'],
  },
  xml: {
    define: xml,
    aliases: ['html', 'xhtml', 'rss', 'atom', 'xjb', 'xsd', 'xsl', 'plist', 'wsf', 'svg'],
    inside: ['css', 'javascript'],
  },
  yaml: { define: yaml, aliases: ['yml'], inside: ['ruby'] },
};
