import { describe } from 'node:test';
import { scenesOfProduct } from '../harness/product/scene';
import { answerText } from './product/answerText';
import { exporting } from './product/exporting';
import { halfOpen } from './product/halfOpen';
import { hugeAnswer } from './product/hugeAnswer';
import { longTalk } from './product/longTalk';
import { toolKinds } from './product/toolKinds';
import { zoomed } from './product/zoomed';

describe('reading in the packed product', () => {
  const scene = scenesOfProduct({ trust: true }, 'reading');

  answerText(scene);
  exporting(scene);
  toolKinds(scene);
  longTalk(scene);
  halfOpen(scene);
  zoomed(scene);
  hugeAnswer(scene);
});
