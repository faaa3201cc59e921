import path from 'node:path';
import { parseArgs } from 'node:util';
import { runTour } from '../tour/tour';

/** The tour of a packed product: `--vsix FILE --out DIR`. */
const { values } = parseArgs({ options: { vsix: { type: 'string' }, out: { type: 'string' } } });
if (values.vsix === undefined || values.out === undefined) throw new Error('--vsix and --out');
await runTour({ vsix: path.resolve(values.vsix), outDir: path.resolve(values.out) });
