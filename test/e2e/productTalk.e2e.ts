import { after, before, describe } from 'node:test';
import { startProduct, type Product } from '../harness/product/product';
import { scenesOn } from '../harness/product/scene';
import { queueing } from './product/queueing';
import { reading } from './product/reading';
import { suggestions } from './product/suggestions';
import { toolCardScenes } from './product/toolCardScenes';
import { transcriptParts } from './product/transcriptParts';

describe('a conversation in the packed product', () => {
  let product: Product | undefined;
  before(async () => {
    product = await startProduct({ trust: true });
  });
  after(() => product?.close());
  const scene = scenesOn(() => {
    if (product === undefined) throw new Error('The product was not started');
    return product;
  }, 'talk');

  reading(scene);

  suggestions(scene);
  queueing(scene);
  toolCardScenes(scene);
  transcriptParts(scene);
});
