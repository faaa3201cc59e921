import type { LoadedFile, ToolFileHost } from './toolFileHost';
import { proxyOf } from './workerDefinitions';
import { WorkerFile } from './workerFile';
import type { WorkerHostOptions } from './workerOptions';
import { WorkerStates } from './workerStates';

/** Runs each tool file in a worker of its own, which can be ended whatever it does. */
export function createWorkerHost(options: WorkerHostOptions): ToolFileHost {
  const files = new Set<WorkerFile>();
  const states = new WorkerStates(
    (stateKey) => {
      for (const { running } of files) {
        if (running?.knows(stateKey) === true) running.post({ kind: 'forget', stateKey });
      }
    },
    (stateKey, reset) => {
      for (const { running } of files) {
        if (running?.knows(stateKey) === true) running.post({ kind: 'reset', stateKey, reset });
      }
    },
  );
  return {
    load: async (request): Promise<LoadedFile> => {
      const file = new WorkerFile(request, options, states);
      files.add(file);
      const dispose = (): void => {
        files.delete(file);
        file.dispose();
      };
      try {
        const { definitions, faults, loaded } = await file.load();
        return {
          definitions: definitions.map((data, index) => ({
            definition: proxyOf(index, data, file),
            line: data.line,
          })),
          faults,
          loaded,
          dispose,
        };
      } catch (error) {
        dispose();
        throw error;
      }
    },
  };
}
