// Patchbay itself without the editor, with a server of its own making.
import { probeServer } from './ourPorts';
import { runOurs } from './ourRun';

runOurs([probeServer()]);
