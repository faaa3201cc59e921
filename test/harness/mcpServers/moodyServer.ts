import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerTo, eventOf, listen, type Message, readMessage } from './lossyServer';

/** What a call of a tool of this name is answered with over HTTP; of any other with `answered`. */
export type Way = 'late' | 'late stream' | 'accepted' | 'page' | 'unread' | 'failed event';

export interface MoodyServer {
  readonly url: string;
  /** The tools that it has now. */
  tools: readonly string[];
  /** What it declares, when hands are shaken. */
  capabilities: object;
  /** `away` breaks every connection off; the others never answer from where they say. */
  mood: 'well' | 'away' | 'silent' | 'silent when ready' | 'without lists';
  /** Refuses what is sent in a session of before with this status. */
  forgets: number | undefined;
  /** Streams that are open, over which it says what nobody has asked. */
  readonly streams: number;
  /** How often a stream was asked for. */
  readonly asked: number;
  /** How often a tool was called, or the list was asked for. */
  readonly called: number;
  /** Cuts the streams. */
  cut(): void;
  close(): Promise<void>;
}

const LATE_MS = 1_500;
/** Longer than any log, or a model, should have it. */
const PAGE = `<html>s3cret${'x'.repeat(300_000)}`;

/** A remote server on loopback that is cut, goes, comes back with other tools, or says nothing. */
export async function startMoodyServer(
  kind: 'http' | 'sse',
  tools: readonly string[],
): Promise<MoodyServer> {
  const streams = new Set<ServerResponse>();
  let asked = 0;
  let called = 0;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (server.mood === 'away') response.destroy();
    else if (request.method === 'GET') {
      asked += 1;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': here\n\n');
      if (server.mood === 'silent') return;
      if (kind === 'sse') response.write('event: endpoint\ndata: /messages\n\n');
      server.forgets = undefined;
      streams.add(response);
      response.once('close', () => streams.delete(response));
    } else if (request.method !== 'POST') response.writeHead(405).end();
    else await take(await readMessage(request), response);
  };
  const answerOf = (message: Message): object => {
    if (message.method !== 'initialize') return answerTo(message, server.tools);
    const { capabilities } = server;
    const protocolVersion = message.params?.protocolVersion;
    const serverInfo = { name: 'moody', version: '1' };
    return {
      jsonrpc: '2.0',
      id: message.id,
      result: { protocolVersion, capabilities, serverInfo },
    };
  };
  const take = async (message: Message, response: ServerResponse): Promise<void> => {
    if (message.method.startsWith('tools/')) called += 1;
    if (isUnheard(server.mood, message)) return;
    const answer = answerOf(message);
    if (server.forgets !== undefined) response.writeHead(server.forgets).end('No such session');
    else if (message.id === undefined) response.writeHead(202).end();
    else if (kind === 'sse') await overStream(message, answer, response);
    else await overHttp(message, answer, response);
  };
  const overStream = async (
    message: Message,
    answer: object,
    response: ServerResponse,
  ): Promise<void> => {
    response.writeHead(202).end();
    const { name } = message.params ?? {};
    if (name === 'late') await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    // Of the session that was begun last.
    [...streams].at(-1)?.write(eventOf(name === 'unread' ? { ...answer, result: 'text' } : answer));
  };
  const overHttp = async (
    message: Message,
    answer: object,
    response: ServerResponse,
  ): Promise<void> => {
    const name = message.params?.name ?? '';
    const late = new Promise((resolve) => setTimeout(resolve, LATE_MS));
    if (name === 'accepted') response.writeHead(202).end();
    else if (name === 'page') response.writeHead(502, { 'content-type': 'text/html' }).end(PAGE);
    else if (name === 'late stream' || name === 'failed event') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('retry: 10\n\n');
      if (name === 'late stream') await late;
      const error = { jsonrpc: '2.0', id: message.id, error: { code: -1, message: 'failed' } };
      response.end(name === 'late stream' ? eventOf(answer) : `id: 1\n${eventOf(error)}`);
    } else {
      if (name === 'late') await late;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer));
    }
  };
  const { url, close } = await listen(serve);
  const server: MoodyServer = {
    url: `${url}/mcp`,
    tools,
    capabilities: { tools: { listChanged: true } },
    mood: 'well',
    forgets: undefined,
    get streams() {
      return streams.size;
    },
    get asked() {
      return asked;
    },
    get called() {
      return called;
    },
    cut: () => {
      for (const stream of streams) stream.destroy();
    },
    close,
  };
  return server;
}

function isUnheard(mood: MoodyServer['mood'], { id, method }: Message): boolean {
  if (mood === 'without lists') return method === 'tools/list';
  return mood === 'silent' || (mood === 'silent when ready' && id === undefined);
}
