import { after, before, describe } from 'node:test';
import { startProduct, type Product } from '../harness/product/product';
import { scenesOn } from '../harness/product/scene';
import { agentGone } from './product/agentGone';
import { pictures, selection } from './product/attachments';
import { drafts, editorTab, moving, reload } from './product/draftsAndTabs';
import { firstUse } from './product/firstUse';
import { history } from './product/history';
import { missingCli } from './product/missingCli';
import { modes, permissions } from './product/modesAndPermissions';
import { plans, plansAfterReload } from './product/plans';
import { removal } from './product/removal';
import { closing, restore } from './product/restore';
import { hostileText, policy, stress } from './product/stress';
import { toolFiles } from './product/toolFiles';
import { toolsView } from './product/toolsView';
import { stopping, unsavedChanges } from './product/unsavedAndStop';

describe('the packed product in a trusted workspace', () => {
  let product: Product | undefined;
  before(async () => {
    product = await startProduct({ trust: true });
  });
  after(() => product?.close());
  const scene = scenesOn(() => {
    if (product === undefined) throw new Error('The product was not started');
    return product;
  }, 'product');

  firstUse(scene);
  modes(scene);
  permissions(scene);
  toolFiles(scene);
  unsavedChanges(scene);
  stopping(scene);
  stress(scene);
  hostileText(scene);
  pictures(scene);
  selection(scene);
  drafts(scene);
  moving(scene);
  restore(scene);
  history(scene);
  editorTab(scene);
  reload(scene);
  plans(scene);
  plansAfterReload(scene);
  toolsView(scene);
  missingCli(scene);
  policy(scene);
  agentGone(scene);
  removal(scene);
  closing(scene);
});
