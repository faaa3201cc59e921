import { readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { crowdAt } from './editorCalls';

/**
 * The least that can be done about the same places: looks for the file, asks for them, sorts them by file, looks in
 * the folders for links, reads the first file and gives a page of lines. No names, no rules, no words.
 */
export async function leastOfCrowd(): Promise<string> {
  const { uri, position } = crowdAt();
  await realpath(uri.fsPath);
  const found = await vscode.commands.executeCommand<vscode.Location[]>(
    'vscode.executeReferenceProvider',
    uri,
    position,
  );
  const files = new Map<string, number[]>();
  for (const { uri: file, range } of found) {
    const lines = files.get(file.fsPath);
    if (lines === undefined) files.set(file.fsPath, [range.start.line]);
    else lines.push(range.start.line);
  }
  const folders = new Set([...files.keys()].map((file) => path.dirname(file)));
  for (const folder of folders) await readdir(await realpath(folder), { withFileTypes: true });
  const [first = ''] = [...files.keys()].sort();
  const text = (await readFile(first, 'utf8')).split('\n');
  const page = (files.get(first) ?? []).map((line) => ` ${line + 1} ${text[line] ?? ''}`);
  return [`${found.length} in ${files.size}`, first, ...page].join('\n');
}
