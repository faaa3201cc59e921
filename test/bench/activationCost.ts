/** The part of esbuild's metafile that is read here. */
export interface Metafile {
  readonly outputs: Readonly<
    Record<
      string,
      {
        readonly bytes: number;
        readonly entryPoint?: string;
        readonly imports: readonly {
          readonly path: string;
          readonly kind: string;
          readonly external?: boolean;
        }[];
        readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>;
      }
    >
  >;
}

export interface ActivationCost {
  /** The files that are loaded before `activate` runs, as the metafile names them. */
  readonly files: readonly string[];
  readonly bytes: number;
  /** What is imported with them and not bundled: `vscode`, and modules of Node. */
  readonly externals: readonly string[];
  /** Packages with at least one byte in them. */
  readonly packages: readonly string[];
}

const ENTRY = 'src/extension.ts';
/** Loaded on first use only: each of them costs more than all the rest of the start. */
const HEAVY = ['@modelcontextprotocol/sdk', '@anthropic-ai/claude-agent-sdk', 'zod'];

/** What is loaded with the extension's entry: itself and all that it imports statically. */
export function activationCost(meta: Metafile): ActivationCost {
  const entry = Object.entries(meta.outputs).find(([, output]) => output.entryPoint === ENTRY);
  if (entry === undefined) throw new Error(`The metafile has no output for ${ENTRY}`);
  const files = new Set<string>();
  const externals = new Set<string>();
  const open = [entry[0]];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    for (const one of meta.outputs[file]?.imports ?? []) {
      if (one.kind === 'dynamic-import') continue;
      if (one.external === true) externals.add(one.path);
      else open.push(one.path);
    }
  }
  const outputs = [...files].flatMap((file) => meta.outputs[file] ?? []);
  const inputs = outputs.flatMap(({ inputs: all }) => Object.entries(all));
  const packages = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([file]) => packageOf(file) ?? []);
  return {
    files: [...files],
    bytes: outputs.reduce((sum, { bytes }) => sum + bytes, 0),
    externals: [...externals].sort(),
    packages: [...new Set(packages)].sort(),
  };
}

/** The packages among them that must not be loaded with `activate`. */
export function heavyPackages({ packages }: ActivationCost): string[] {
  return packages.filter((name) => HEAVY.includes(name));
}

function packageOf(file: string): string | undefined {
  return /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
}
