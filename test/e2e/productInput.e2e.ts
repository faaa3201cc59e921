import { describe } from 'node:test';
import { scenesOfProduct } from '../harness/product/scene';
import { draftsOfTalks } from './product/draftsOfTalks';
import { droppedFiles } from './product/droppedFiles';
import { makeRepository, mentionKinds } from './product/mentionKinds';
import { notices } from './product/notices';
import { promptQueue } from './product/promptQueue';
import { KEPT_FILES, selectionKept } from './product/selectionKept';
import { tabs } from './product/tabs';
import { toolFileOffers } from './product/toolFileOffers';

describe('what goes into the packed product', () => {
  const options = { trust: true, files: KEPT_FILES, prepare: makeRepository };
  const scene = scenesOfProduct(options, 'input');

  mentionKinds(scene);
  toolFileOffers(scene);
  droppedFiles(scene);
  selectionKept(scene);
  promptQueue(scene);
  notices(scene);
  draftsOfTalks(scene);
  tabs(scene);
});
