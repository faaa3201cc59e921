import { after, describe } from 'node:test';
import { AgentStandIn } from '../harness/product/agentStandIn';
import { scenesOfProduct } from '../harness/product/scene';
import { folderChoice } from './product/folderChoice';
import { scriptedAgent } from './product/scriptedAgent';
import { settingUp } from './product/settingUp';

const SECOND = 'garden';

describe('the packed product in a window of two folders, with nothing installed at first', () => {
  const agent = new AgentStandIn();
  const options = { trust: true, cli: agent.command, secondFolder: SECOND };
  const scene = scenesOfProduct(options, 'set-up');
  after(() => agent.dispose());

  settingUp(scene, agent);
  folderChoice(scene, SECOND);
  scriptedAgent(scene, agent);
});
