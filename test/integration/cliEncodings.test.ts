import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { message, say, type Step, toolUse } from '../harness/model/script';
import { type ConversationBench, createBench, isIdle, toolsOf } from './conversationBench';

const benches: ConversationBench[] = [];
after(async () => {
  await Promise.all(benches.map((bench) => bench.dispose()));
});

/** Why a card warns of such files, and why our own `edit` is there for them. */
test('the CLI keeps CRLF with Edit and not with Write, and writes nothing where it would lose an encoding', async () => {
  const latin = Buffer.from('one caf\xe9\n', 'latin1');
  const wide = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
  const files: Record<string, [before: Buffer, after: Buffer]> = {
    'crlf-edit.txt': [Buffer.from('one\r\ntwo\r\n'), Buffer.from('1\r\ntwo\r\n')],
    'crlf-write.txt': [Buffer.from('one\r\ntwo\r\n'), Buffer.from('1\ntwo\n')],
    'latin-edit.txt': [latin, latin],
    'latin-write.txt': [latin, latin],
    'utf16-edit.txt': [wide('one\n'), wide('1\n')],
  };
  const names = Object.keys(files);
  const made: ConversationBench = await createBench({
    mode: 'acceptEdits',
    model: {
      script: ({ step }) => {
        const at = (name: string): string => path.join(made.sandbox.workspace, name);
        if (step === 0) return message(names.map((one) => toolUse('Read', { file_path: at(one) })));
        return step === 1 ? message(names.map((one) => change(at(one)))) : say('ok');
      },
    },
  });
  benches.push(made);
  const at = (name: string): string => path.join(made.sandbox.workspace, name);
  await Promise.all(names.map((name) => writeFile(at(name), files[name]![0])));
  await made.prompt('go');
  await made.until('the end', isIdle);
  for (const name of names) assert.deepEqual(await readFile(at(name)), files[name]![1], name);
  const failed = toolsOf(made.view).filter(({ state }) => state === 'failed');
  assert.equal(failed.length, 2);
  for (const { result } of failed) assert.match(result?.text ?? '', /not valid UTF-8/);
});

function change(file: string): Step {
  return file.endsWith('write.txt')
    ? toolUse('Write', { file_path: file, content: '1\ntwo\n' })
    : toolUse('Edit', { file_path: file, old_string: 'one', new_string: '1' });
}
