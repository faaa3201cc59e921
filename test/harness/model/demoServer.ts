import { startDemoModel } from './demoModel';

/** Runs the offline model until it is told to end; its address is the one line on stdout. */
const model = await startDemoModel();
console.log(model.url);
const end = (): void => void model.close().then(() => process.exit(0));
process.once('SIGINT', end);
process.once('SIGTERM', end);
// Started with an IPC channel, it does not outlive its parent.
process.once('disconnect', end);
