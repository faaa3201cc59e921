import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/**
 * What each room may import besides itself; the house in one table.
 * `test/architecture.test.ts` walks the imports on its own, so an exemption here cannot weaken it.
 */
const ALLOWED = {
  base: [],
  protocol: ['base'],
  cli: ['base', 'protocol'],
  mcp: ['base'],
  rules: ['base'],
  workFiles: ['base'],
  workspaceTools: ['base', 'mcp', 'rules', 'workFiles'],
  sessions: ['base', 'protocol', 'workFiles'],
  doors: ['base', 'mcp', 'workFiles'],
  chat: ['base', 'protocol', 'rules'],
  webview: ['base', 'chat'],
  conversation: ['base', 'protocol', 'cli', 'mcp', 'rules', 'chat', 'sessions', 'workFiles'],
  editor: ['base', 'mcp', 'rules', 'workFiles'],
  host: [
    'base',
    'protocol',
    'cli',
    'mcp',
    'rules',
    'workFiles',
    'sessions',
    'chat',
    'editor',
    'conversation',
    'doors',
    'workspaceTools',
  ],
};
const ROOMS = Object.keys(ALLOWED);
const PURE = new Set(['base', 'protocol', 'chat', 'webview', 'rules', 'mcp']);
const VSCODE = new Set(['editor', 'host']);

const roomRules = ROOMS.map((room) => ({
  files: [`src/${room}/**/*.{ts,tsx}`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          ...ROOMS.filter((other) => other !== room && !ALLOWED[room].includes(other)).map(
            (other) => ({
              group: [`**/../${other}/**`],
              message: `${room} may not import ${other}`,
            }),
          ),
          ...(PURE.has(room) ? [{ group: ['node:*'], message: `${room} is a pure room` }] : []),
          { group: ['@/*', '~/*', 'src/*'], message: 'relative imports only' },
        ],
        paths: VSCODE.has(room)
          ? []
          : [{ name: 'vscode', message: `${room} may not import vscode`, allowTypeImports: true }],
      },
    ],
  },
}));

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'out/',
      'node_modules/',
      'test/fixtures/',
      'test/.tour/',
      'test/.artifacts/',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './tsconfig.webview.json', './tsconfig.e2e.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // `import { type X }` still loads the module at run time: it once pulled the app into activation.
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/no-invalid-void-type': ['error', { allowInGenericTypeArguments: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      'max-lines': ['error', { max: 450 }],
      'no-console': 'error',
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    rules: {
      'max-lines-per-function': ['error', { max: 60 }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true } }],
    },
  },
  ...roomRules,
  {
    files: ['test/**/*.ts', 'test/**/*.tsx'],
    rules: {
      '@typescript-eslint/no-floating-promises': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      'no-console': 'off',
    },
  },
  {
    // Extensions in plain JavaScript.
    files: ['docs/samples/**/*.js'],
    languageOptions: {
      globals: { require: 'readonly', module: 'writable', console: 'readonly' },
    },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        setTimeout: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        clearTimeout: 'readonly',
        Buffer: 'readonly',
        fetch: 'readonly',
        AbortController: 'readonly',
        AbortSignal: 'readonly',
      },
    },
  },
);
