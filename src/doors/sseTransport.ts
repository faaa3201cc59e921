// Older servers speak nothing else.
/* eslint-disable @typescript-eslint/no-deprecated */
import {
  SSEClientTransport,
  type SSEClientTransportOptions,
  SseError,
} from '@modelcontextprotocol/sdk/client/sse.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { errorMessage } from '../base/errors';
import { LostSession } from './lostSession';
import { patientFetch } from './patientFetch';
import { unreadMessages } from './withAnswer';

/** By its example the server says 404 for a session that it does not know, or 400 and speaks of it. */
const UNKNOWN = /\(HTTP (?:404|410|400\): .*(?:session|transport))/is;

/**
 * As the SDK's, but that it ends with its stream, and that an answer which cannot be read is an error.
 * The SDK's has the stream made anew: of a server that was started again it would go on in a session
 * in which no hands were shaken, and what it had asked in the one before would never be answered.
 */
export class SseTransport extends SSEClientTransport {
  constructor(url: URL, options: Pick<SSEClientTransportOptions, 'requestInit'>) {
    super(url, { ...options, fetch: patientFetch });
  }

  override async start(): Promise<void> {
    await super.start();
    const { onerror } = this;
    let isUnread = false;
    this.onerror = (error) => {
      onerror?.(error);
      if (error instanceof SseError) void this.close();
      else isUnread = true;
    };
    // The SDK's own, which tells an error of an event without the event.
    const source: unknown = Reflect.get(this, '_eventSource');
    if (!(source instanceof EventTarget)) return;
    source.addEventListener('message', (event) => {
      if (!isUnread) return;
      isUnread = false;
      const messages = unreadMessages(String(Reflect.get(event, 'data')));
      for (const message of messages) this.onmessage?.(message);
    });
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    try {
      await super.send(message);
    } catch (error) {
      const text = errorMessage(error);
      throw UNKNOWN.test(text) ? new LostSession(text, { cause: error }) : error;
    }
  }
}
