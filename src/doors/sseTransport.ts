// Older servers speak nothing else.
/* eslint-disable @typescript-eslint/no-deprecated */
import { SSEClientTransport, SseError } from '@modelcontextprotocol/sdk/client/sse.js';

/**
 * As the SDK's, but that it ends with its stream. The SDK's has the stream made anew: of a server
 * that was started again it would go on in a session in which no hands were shaken, and what it had
 * asked in the one before would never be answered.
 */
export class SseTransport extends SSEClientTransport {
  override async start(): Promise<void> {
    await super.start();
    const { onerror } = this;
    this.onerror = (error) => {
      onerror?.(error);
      if (error instanceof SseError) void this.close();
    };
  }
}
