import type { FrameRow } from '../../../src/chat/frameRowProtocol';
import type { FrameDetail } from '../../../src/chat/inspectorProtocol';

/** 2026-01-31, 14:03:20 of wherever this runs. */
const START = new Date(2026, 0, 31, 14, 3, 20).getTime();

type Sketch = Omit<FrameRow, 'n' | 't' | 'bytes'> & {
  readonly ms?: number;
  readonly bytes?: number;
};

const ID = '7f3c2a90-51d8-4c0e-9d0b-aa10c2f4e0b1';
const ASK = '0b1d77e4-90aa-4f35-8a35-4a0b6f7c9d22';

const TURN: readonly Sketch[] = [
  {
    dir: 'out',
    kind: 'control',
    label: 'initialize',
    id: 'host-1',
    role: 'request',
    state: 'answered',
    ms: 412,
    partner: 2,
    bytes: 18_211,
  },
  {
    dir: 'in',
    kind: 'control',
    label: 'initialize',
    id: 'host-1',
    role: 'answer',
    ms: 412,
    partner: 1,
    bytes: 9_420,
  },
  { dir: 'out', kind: 'message', label: 'user', detail: 'prompt', bytes: 214 },
  { dir: 'in', kind: 'message', label: 'system', detail: 'init', bytes: 2_118 },
  { dir: 'in', kind: 'stream', label: 'stream_event', detail: 'message_start', bytes: 402 },
  {
    dir: 'in',
    kind: 'stream',
    label: 'stream_event',
    detail: 'content_block_delta text_delta',
    bytes: 318,
  },
  {
    dir: 'in',
    kind: 'message',
    label: 'assistant',
    detail: 'text, tool_use mcp__code__diagnostics',
    bytes: 1_204,
  },
  {
    dir: 'in',
    kind: 'mcp',
    label: 'tools/call',
    detail: 'code · diagnostics',
    id: ID,
    role: 'request',
    state: 'answered',
    ms: 38,
    partner: 9,
    bytes: 371,
  },
  {
    dir: 'out',
    kind: 'mcp',
    label: 'tools/call',
    detail: 'code · diagnostics',
    id: ID,
    role: 'answer',
    ms: 38,
    partner: 8,
    bytes: 640,
  },
  {
    dir: 'in',
    kind: 'noise',
    label: 'no message',
    detail: '(node:4711) ExperimentalWarning: something that a wrapper prints',
    bytes: 88,
  },
  {
    dir: 'in',
    kind: 'mcp',
    label: 'tools/call',
    detail: 'probe · fail',
    id: '19aa',
    role: 'request',
    state: 'answered',
    ms: 1,
    partner: 12,
    bytes: 260,
  },
  {
    dir: 'out',
    kind: 'mcp',
    label: 'tools/call',
    detail: 'probe · fail',
    id: '19aa',
    role: 'answer',
    ms: 1,
    partner: 11,
    isError: true,
    bytes: 190,
  },
  {
    dir: 'in',
    kind: 'control',
    label: 'can_use_tool',
    detail: 'Write',
    id: ASK,
    role: 'request',
    state: 'waiting',
    bytes: 840,
  },
];

/** Frames of one turn, the last request still waiting. */
export function turnFrames(): FrameRow[] {
  return TURN.map((sketch, at) => ({ bytes: 1, ...sketch, n: at + 1, t: START + at * 137 }));
}

/** As many frames as one likes. */
export function manyFrames(count: number): FrameRow[] {
  return Array.from({ length: count }, (_, at) => ({
    n: at + 1,
    t: START + at,
    dir: 'in',
    kind: at % 10 === 0 ? 'mcp' : 'stream',
    label: at % 10 === 0 ? 'tools/call' : 'stream_event',
    detail: `number ${at + 1}`,
    bytes: 300,
  }));
}

/** What the host answers when one of them is looked at. */
export function frameDetailOf(n: number): FrameDetail {
  const row = TURN[n - 1];
  const text = JSON.stringify(
    {
      type: 'control_request',
      request_id: row?.id,
      request: {
        subtype: 'mcp_message',
        server_name: 'code',
        message: {
          jsonrpc: '2.0',
          id: 4,
          method: row?.label,
          params: {
            name: 'diagnostics',
            arguments: {
              scope: 'open',
              paths: ['src/report.ts'],
              limit: 20,
              all: true,
              since: null,
            },
            _meta: { progressToken: 2, token: '[secret]' },
          },
        },
      },
    },
    null,
    2,
  );
  return { n, text, isFolded: n === 9, hidden: n === 8 ? 1 : 0 };
}
