// A small MCP server over stdio: see served.mjs.
// Usage: node stdioServer.mjs NAME [START_LOG]; to START_LOG it appends a line with its pid.
// @ts-check
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { answerTo } from './served.mjs';

const [name = 'stdio', startLog] = process.argv.slice(2);
if (startLog !== undefined) appendFileSync(startLog, `${String(process.pid)}\n`);

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.id === undefined) return;
  void answerTo(name, message).then((result) => {
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, result })}\n`);
  });
});
