import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import {
  type EditorRoom,
  plantedFile,
  plantedPath,
  show,
  until,
  usePlantedRoom,
} from './editorRoom';

/** The faults of the sample, as their own language servers tell of them. */
const FAULTS: Readonly<Record<string, readonly string[]>> = {
  'src/model/voucher.ts': ["14:14 error Property 'until' is missing", '[ts 2741]'],
  'src/store/shipmentStore.ts': ["8:65 error Cannot find name 'carierName'. [ts 2304]"],
  'src/report/refundReport.ts': ["15:9 error Type 'number' is not assignable to type 'string'."],
  'src/report/supplierReport.ts': ["8:28 error Cannot find name 'cutWord'. Did you mean"],
  'data/vouchers.json': ['warning Duplicate object key [json 520] ×2 at 2:3 4:3'],
  'data/warehouses.json': ['3:3 error Expected comma [json 514]'],
  'styles/shopCart.css': ["8:3 warning Unknown property: 'font-wieght' [css unknownProperties]"],
  'styles/shopTable.css': ['6:1 warning Do not use empty rulesets [css emptyRules]'],
  'styles/shopPrint.css': ['7:15 error semi-colon expected [css css-semicolonexpected]'],
  'guide/refunds.md': [
    '3:49 warning Header does not exist in file: delays',
    '3:84 warning File does not exist at path: ',
  ],
};

describe('the sample workspace of some sixty files', () => {
  let room: EditorRoom;
  const links = vscode.workspace.getConfiguration('markdown.validate');

  usePlantedRoom((made) => {
    room = made;
  });

  before(() => links.update('enabled', true, vscode.ConfigurationTarget.Global));
  after(() => links.update('enabled', undefined, vscode.ConfigurationTarget.Global));

  it('has as many', async () => {
    const entries = await readdir(plantedFile(''), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    assert.ok(files.length >= 55 && files.length <= 70, `${files.length} files`);
  });

  for (const [name, faults] of Object.entries(FAULTS)) {
    it(`${name} has its faults told, once it is open`, async () => {
      await show(name);
      let text = '';
      await until('the faults are told', async () => {
        ({ text } = await room.call('diagnostics', { path: plantedPath(name), full: true }));
        return faults.every((fault) => text.includes(fault));
      }).catch((error: unknown) => assert.fail(`${String(error)}: ${text}`));
      assert.match(text, /^\d (?:error|warning)s?(?:, \d hints?)? in 1 file/);
    });
  }

  it('has the faults of all that is open told at once, errors first', async () => {
    for (const name of Object.keys(FAULTS)) await show(name);
    const lists = [...Object.keys(FAULTS)];
    let text = '';
    await until('all are told', async () => {
      ({ text } = await room.call('diagnostics', { path: 'open', full: true }));
      return lists.every((name) => text.includes(`\n${plantedPath(name)}\n`));
    });
    assert.match(text, /^7 errors, 6 warnings, \d hints in 10 files/);
  });
});
