import { demoScript } from './demoScript';
import { startModel, type ModelServer } from './modelServer';

/** The offline model as a person sees it: in small pieces, at reading speed. */
export function startDemoModel(): Promise<ModelServer> {
  return startModel({ script: demoScript, chunkSize: 12, chunkDelayMs: 16 });
}
