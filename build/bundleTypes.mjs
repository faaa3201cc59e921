// Makes one self-contained .d.ts of a module and of all types that it leads to, those of packages
// among them. Each file becomes a namespace that is not exported, so nothing has to be renamed, and
// the editor offers no more for import than the module itself exports.
// @ts-check
import path from 'node:path';
import ts from 'typescript';

/**
 * @typedef {object} BundleOptions
 * @property {string} root Names of namespaces are made of paths below it.
 * @property {string} entry A `.ts` file, absolute.
 * @property {ts.CompilerOptions} compilerOptions
 * @property {(fileName: string, text: string) => string} [edit] Of each declaration file, before it is read.
 */

/**
 * @param {BundleOptions} options
 * @returns {{ text: string, inputs: string[] }} `inputs`: the files that it is made of.
 */
export function bundleTypes({ root, entry, compilerOptions, edit = (_name, text) => text }) {
  const program = declarationProgram(entry, compilerOptions, edit);
  const bundle = new Bundle(root, program);
  const start = program.getSourceFile(declarationName(entry));
  if (start === undefined) throw new Error(`No declarations of ${entry}`);
  return { text: bundle.write(start), inputs: bundle.inputs() };
}

/** @param {string} file */
function declarationName(file) {
  return file.replace(/\.ts$/, '.d.ts');
}

/**
 * The same program over what the compiler declares of our own sources: inferred types are written
 * out there, and bodies are gone.
 *
 * @param {string} entry @param {ts.CompilerOptions} options
 * @param {(fileName: string, text: string) => string} edit
 */
function declarationProgram(entry, options, edit) {
  const emitOptions = { ...options, noEmit: false, declaration: true, emitDeclarationOnly: true };
  const sources = ts.createProgram([entry], emitOptions);
  /** @type {Map<string, string>} */
  const emitted = new Map();
  const { diagnostics } = sources.emit(undefined, (name, text) => {
    emitted.set(path.resolve(name), text);
  });
  if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, formatHost));
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  // Where both are, the declarations are taken: the sources are not to be seen.
  const isHidden = (/** @type {string} */ name) =>
    !name.endsWith('.d.ts') && emitted.has(declarationName(path.resolve(name)));
  host.fileExists = (name) =>
    emitted.has(path.resolve(name)) || (!isHidden(name) && fileExists(name));
  host.readFile = (name) => emitted.get(path.resolve(name)) ?? readFile(name);
  host.getSourceFile = (name, language, ...rest) => {
    const known = emitted.get(path.resolve(name));
    if (known !== undefined) return ts.createSourceFile(name, known, language, true);
    const file = getSourceFile(name, language, ...rest);
    if (file === undefined || name.includes('/typescript/lib/')) return file;
    return ts.createSourceFile(name, edit(name, file.text), language, true);
  };
  return ts.createProgram([declarationName(entry)], options, host);
}

/** @type {ts.FormatDiagnosticsHost} */
const formatHost = {
  getCurrentDirectory: () => process.cwd(),
  getCanonicalFileName: (name) => name,
  getNewLine: () => '\n',
};

class Bundle {
  /** @type {Map<ts.Symbol, string>} The namespace of each module. */
  #names = new Map();
  /** @type {Map<ts.Symbol, string>} The text of each that is written. */
  #written = new Map();
  /** @type {Set<string>} */
  #files = new Set();
  /** @type {string[]} */
  #globals = [];
  #root;
  #checker;

  /** @param {string} root @param {ts.Program} program */
  constructor(root, program) {
    this.#root = root;
    this.#checker = program.getTypeChecker();
  }

  inputs() {
    return [...this.#files].sort();
  }

  /** @param {ts.SourceFile} start */
  write(start) {
    const symbol = this.#symbolOf(start);
    const name = this.#name(symbol);
    const exports = this.#checker
      .getExportsOfModule(symbol)
      .map((one) => `import ${one.name} = ${name}.${one.name};\nexport { ${one.name} };`);
    return [...this.#written.values(), ...this.#globals, ...exports, ''].join('\n');
  }

  /** @param {ts.Node} node @returns {ts.Symbol} */
  #symbolOf(node) {
    const symbol = this.#checker.getSymbolAtLocation(node);
    if (symbol === undefined) throw new Error(`Not a module: ${node.getText().slice(0, 80)}`);
    return symbol;
  }

  /**
   * The namespace that stands for a module; written when it is first named.
   *
   * @param {ts.Symbol} symbol
   */
  #name(symbol) {
    const known = this.#names.get(symbol);
    if (known !== undefined) return known;
    const declaration = symbol.declarations?.[0];
    if (declaration === undefined) throw new Error(`Module ${symbol.name} has no file`);
    const file = declaration.getSourceFile();
    const base = ts.isSourceFile(declaration)
      ? path.relative(this.#root, file.fileName).replace(/^(.*node_modules|src)\//, '')
      : symbol.name;
    const name = `_${base
      .replace(/\.d\.ts$/, '')
      .replace(/[^A-Za-z0-9]+/g, '_')
      .replace(/^_|_$/g, '')}`;
    if ([...this.#names.values()].includes(name)) throw new Error(`Two modules are ${name}`);
    this.#names.set(symbol, name);
    this.#files.add(path.relative(this.#root, file.fileName));
    const statements = ts.isSourceFile(declaration)
      ? declaration.statements
      : /** @type {ts.ModuleBlock} */ (/** @type {ts.ModuleDeclaration} */ (declaration).body)
          .statements;
    // The place is taken first, so that the order is that of the imports.
    this.#written.set(symbol, '');
    const body = statements.map((one) => this.#statement(one, symbol, statements)).join('');
    this.#written.set(symbol, `declare namespace ${name} {${body}\n}`);
    if (!ts.isSourceFile(declaration)) this.#besides(file, declaration);
    return name;
  }

  /** What stands beside a `declare module` in its file is global. @param {ts.SourceFile} file @param {ts.Node} module */
  #besides(file, module) {
    for (const one of file.statements) {
      if (one === module) continue;
      this.#globals.push(`declare global {${one.getText(file)}\n}`);
    }
  }

  /**
   * @param {ts.Statement} node @param {ts.Symbol} module
   * @param {ts.NodeArray<ts.Statement>} siblings
   * @returns {string}
   */
  #statement(node, module, siblings) {
    if (ts.isImportDeclaration(node)) return this.#import(node);
    if (ts.isExportDeclaration(node)) return this.#export(node, module, siblings);
    if (ts.isExportAssignment(node)) {
      return `\nexport { ${node.expression.getText()} as _default };`;
    }
    if (ts.isModuleDeclaration(node) && node.flags & ts.NodeFlags.GlobalAugmentation) {
      this.#globals.push(this.#text(node));
      return '';
    }
    return this.#text(node, true);
  }

  /** @param {ts.ImportDeclaration} node */
  #import(node) {
    const { importClause } = node;
    if (importClause === undefined) return '';
    const from = this.#moduleName(node.moduleSpecifier);
    const lines = [];
    const { name, namedBindings } = importClause;
    if (name !== undefined) lines.push(`import ${name.text} = ${from}._default;`);
    if (namedBindings !== undefined && ts.isNamespaceImport(namedBindings)) {
      lines.push(`import ${namedBindings.name.text} = ${from};`);
    } else if (namedBindings !== undefined) {
      for (const one of namedBindings.elements) {
        lines.push(
          `import ${one.name.text} = ${from}.${exportName((one.propertyName ?? one.name).text)};`,
        );
      }
    }
    return lines.map((line) => `\n${line}`).join('');
  }

  /**
   * @param {ts.ExportDeclaration} node @param {ts.Symbol} module
   * @param {ts.NodeArray<ts.Statement>} siblings
   */
  #export(node, module, siblings) {
    const { exportClause, moduleSpecifier } = node;
    // An alias may not lead to what is exported as a type only.
    if (moduleSpecifier === undefined) {
      const text = node.getText().replace(/^export type/, 'export');
      return `\n${text}${reservedLocals(exportClause, explicitExports(siblings))}`;
    }
    const from = this.#moduleName(moduleSpecifier);
    if (exportClause === undefined) {
      const own = explicitExports(siblings);
      return this.#checker
        .getExportsOfModule(this.#symbolOf(moduleSpecifier))
        .filter(({ name }) => name !== 'default' && !own.has(name) && this.#isHere(module, name))
        .map((one) => exportAlias(one.name, this.#member(from, one, one.name)))
        .join('');
    }
    if (ts.isNamespaceExport(exportClause)) return exportAlias(exportClause.name.text, from);
    return exportClause.elements
      .map((one) => {
        const target = this.#member(
          from,
          this.#symbolOf(one.name),
          (one.propertyName ?? one.name).text,
        );
        return exportAlias(exportName(one.name.text), target);
      })
      .join('');
  }

  /**
   * How an alias names what another module exports. After a dot no word of the language may stand
   * there, so such a one is named where it is declared, which has a name of its own for it.
   *
   * @param {string} from @param {ts.Symbol} symbol @param {string} name
   */
  #member(from, symbol, name) {
    if (!isReserved(name)) return `${from}.${exportName(name)}`;
    const origin = this.#checker.getAliasedSymbol(symbol);
    const file = origin.declarations?.[0]?.getSourceFile();
    if (file === undefined) throw new Error(`Nothing declares ${name}`);
    return `${this.#name(this.#symbolOf(file))}.${origin.name}`;
  }

  /** Of two `export *` with one name, neither counts. @param {ts.Symbol} module @param {string} name */
  #isHere(module, name) {
    return this.#checker.getExportsOfModule(module).some((one) => one.name === name);
  }

  /** @param {ts.Expression} specifier */
  #moduleName(specifier) {
    return this.#name(this.#symbolOf(specifier));
  }

  /**
   * The text of a declaration with its comment: `import('…')` is the namespace, and what is told of
   * a whole file by `declare` goes without saying.
   *
   * @param {ts.Statement} node @param {boolean} [inNamespace]
   */
  #text(node, inNamespace = false) {
    const file = node.getSourceFile();
    const start = node.getFullStart();
    /** @type {{ from: number, to: number, text: string }[]} */
    const cuts = [];
    /** @param {ts.Node} at */
    const visit = (at) => {
      if (ts.isImportTypeNode(at) && ts.isLiteralTypeNode(at.argument)) {
        const name = this.#name(this.#symbolOf(at.argument.literal));
        const from = at.getStart(file);
        const end = at.qualifier?.getStart(file) ?? at.typeArguments?.pos ?? at.getEnd();
        const text = `${at.isTypeOf ? 'typeof ' : ''}${name}${at.qualifier ? '.' : ''}`;
        cuts.push({ from, to: end, text });
        at.typeArguments?.forEach(visit);
        return;
      }
      ts.forEachChild(at, visit);
    };
    visit(node);
    if (inNamespace && ts.canHaveModifiers(node)) {
      for (const one of ts.getModifiers(node) ?? []) {
        if (one.kind === ts.SyntaxKind.DeclareKeyword || one.kind === ts.SyntaxKind.DefaultKeyword)
          cuts.push({ from: one.getStart(file), to: one.getEnd() + 1, text: '' });
      }
      if (ts.isFunctionDeclaration(node) && node.name === undefined) {
        const at = node.parameters.pos - 1;
        cuts.push({ from: at, to: at, text: '_default' });
      }
    }
    let text = '';
    let at = start;
    for (const cut of cuts.sort((a, b) => a.from - b.from)) {
      text += file.text.slice(at, cut.from) + cut.text;
      at = cut.to;
    }
    return `\n${(text + file.text.slice(at, node.getEnd())).trim()}`;
  }
}

const scanner = ts.createScanner(ts.ScriptTarget.Latest, true);

/** @param {string} name */
function isReserved(name) {
  scanner.setText(name);
  const kind = scanner.scan();
  return (
    name !== 'default' &&
    kind >= ts.SyntaxKind.FirstReservedWord &&
    kind <= ts.SyntaxKind.LastReservedWord
  );
}

/**
 * Those that are exported by a word of the language, once more by their own name.
 *
 * @param {ts.NamedExportBindings | undefined} clause @param {ReadonlySet<string>} exported
 */
function reservedLocals(clause, exported) {
  if (clause === undefined || ts.isNamespaceExport(clause)) return '';
  return clause.elements
    .filter(
      ({ name, propertyName }) => isReserved(name.text) && !exported.has(propertyName?.text ?? ''),
    )
    .map(({ propertyName }) => `\nexport { ${propertyName?.text} };`)
    .join('');
}

/** @param {string} name */
function exportName(name) {
  return name === 'default' ? '_default' : name;
}

/** A name may be a word of the language, which only a list may export. @param {string} name @param {string} target */
function exportAlias(name, target) {
  return `\nimport $${name} = ${target};\nexport { $${name} as ${name} };`;
}

/** @param {ts.Statement} node */
function isExported(node) {
  const modifiers = ts.canHaveModifiers(node) ? ts.getModifiers(node) : [];
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
}

/** @param {ts.NodeArray<ts.Statement>} statements @returns {Set<string>} */
function explicitExports(statements) {
  const names = new Set();
  for (const one of statements) {
    if (ts.isExportDeclaration(one)) {
      if (one.exportClause === undefined) continue;
      if (ts.isNamespaceExport(one.exportClause)) names.add(one.exportClause.name.text);
      else for (const { name } of one.exportClause.elements) names.add(name.text);
    } else if (!isExported(one)) {
      continue;
    } else if (ts.isVariableStatement(one)) {
      for (const { name } of one.declarationList.declarations) names.add(name.getText());
    } else if ('name' in one && one.name !== undefined) {
      names.add(/** @type {ts.Identifier} */ (one.name).text);
    }
  }
  return names;
}
