import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import http, { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { patientFetch } from '../../src/doors/patientFetch';
import { listen } from '../harness/mcpServers/lossyServer';

const ends: (() => unknown)[] = [];
after(async () => {
  for (const end of ends.reverse()) await end();
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const { url, close } = await listen((request, response) => {
    answer(request, response);
    return Promise.resolve();
  });
  ends.push(close);
  return url;
}

test('What a proxy has packed unasked is read, whole and as it comes', async () => {
  const packings = {
    gzip: gzipSync,
    'X-GZIP': gzipSync,
    deflate: deflateSync,
    br: brotliCompressSync,
  };
  const url = await serve((request, response) => {
    assert.equal(request.headers['accept-encoding'], undefined);
    const packing = String(request.headers['x-packing']);
    const pack = Object.entries(packings).find(([name]) => name === packing)?.[1];
    const text = pack?.('packed') ?? Buffer.from('broken');
    response
      .writeHead(200, { 'content-encoding': pack === undefined ? 'gzip' : packing })
      .end(text);
  });
  const read = async (packing: string): Promise<string> =>
    (await patientFetch(url, { headers: { 'x-packing': packing } })).text();
  for (const packing of Object.keys(packings)) assert.equal(await read(packing), 'packed', packing);
  await assert.rejects(read('none'));
});

test('A status that is none fails the request, and nothing else', async () => {
  const url = await serve((request, response) => {
    response.writeHead(Number(request.url?.slice(1)), { 'x-odd': 'é' }).end('text');
  });
  for (const status of [600, 999]) {
    await assert.rejects(patientFetch(`${url}/${status}`), /fetch failed/, String(status));
  }
  for (const status of [200, 204, 307, 404, 599]) {
    const response = await patientFetch(`${url}/${status}`);
    assert.deepEqual(
      [response.status, await response.text()],
      [status, status === 204 ? '' : 'text'],
    );
  }
});

test('A server is told what asks it, unless that is set', async () => {
  const url = await serve((request, response) => response.end(request.headers['user-agent']));
  assert.equal(await (await patientFetch(url)).text(), 'patchbay');
  const headers = { 'User-Agent': 'mine' };
  assert.equal(await (await patientFetch(url, { headers })).text(), 'mine');
});

test('Each request goes through what the editor has put into Node by then', async () => {
  const plain = await serve((_request, response) => response.end('by way of the editor'));
  const before = [http.request, https.request] as const;
  const asked: unknown[] = [];
  // As the editor does it, which puts in agents of its own, for its proxies and certificates.
  const replaced = (url: URL, options: http.RequestOptions) => {
    asked.push([url.href, options.agent !== undefined]);
    return before[0](plain, { ...options, agent: undefined });
  };
  [http.request, https.request] = [
    replaced as typeof http.request,
    replaced as typeof http.request,
  ];
  const urls = ['http://mcp.invalid/', 'https://mcp.invalid/', 'http://localhost/'];
  try {
    for (const url of urls) {
      assert.equal(await (await patientFetch(url)).text(), 'by way of the editor');
    }
  } finally {
    [http.request, https.request] = before;
  }
  // With `http.proxySupport: on` whoever names an agent goes past the proxy.
  assert.deepEqual(
    asked,
    urls.map((url) => [url, url === 'http://localhost/']),
  );
});

test('A host that does not take connections is given up', async () => {
  // The system takes a few for it, and no more, since it takes none off its hands.
  const text = `const server = require('node:net').createServer();
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      require('node:fs').writeSync(1, String(server.address().port));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
  const child = spawn(process.execPath, ['-e', text], { stdio: ['ignore', 'pipe', 'inherit'] });
  ends.push(() => child.kill('SIGKILL'));
  const port = await new Promise<number>((resolve) =>
    child.stdout.once('data', (chunk: Buffer) => resolve(Number(String(chunk)))),
  );
  const fillers: Socket[] = Array.from({ length: 6 }, () => connect(port, '127.0.0.1'));
  for (const filler of fillers) filler.on('error', () => undefined);
  ends.push(() => {
    for (const filler of fillers) filler.destroy();
  });
  await new Promise((resolve) => fillers[0]?.once('connect', resolve));
  await assert.rejects(patientFetch(`http://127.0.0.1:${port}`, {}, 500), (error: Error) => {
    assert.match(String(error.cause), /No connection within 500 ms/);
    return true;
  });
});

test('What is answered after a connection is there may take longer than one may take to be made', async () => {
  const server = createServer((_request, response) => {
    setTimeout(() => response.write('a'), 600);
    setTimeout(() => response.end('b'), 1_200);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => server.close());
  const { port } = server.address() as { readonly port: number };
  const response = await patientFetch(`http://127.0.0.1:${port}`, {}, 300);
  assert.equal(await response.text(), 'ab');
});
