import { describe } from 'node:test';
import { scenesOfProduct } from '../harness/product/scene';
import { changes } from './product/changes';
import { failedTests } from './product/failedTests';
import { queueing } from './product/queueing';
import { reading } from './product/reading';
import { suggestions } from './product/suggestions';
import { toolCardScenes } from './product/toolCardScenes';
import { transcriptParts } from './product/transcriptParts';

describe('a conversation in the packed product', () => {
  const scene = scenesOfProduct({ trust: true }, 'talk');

  reading(scene);

  suggestions(scene);
  queueing(scene);
  toolCardScenes(scene);
  transcriptParts(scene);
  failedTests(scene);
  changes(scene);
});
