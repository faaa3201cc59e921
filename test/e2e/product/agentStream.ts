import type { FakeStep } from '../../harness/fakeCli/fakeCliScript';

type Json = Readonly<Record<string, unknown>>;

let messages = 0;

/** One message of the model, as the CLI tells it. @param parent the call of the sub-agent that says it */
export function assistant(block: Json, parent: string | null = null, uuid?: string): FakeStep {
  messages += 1;
  const id = `msg_s${messages}`;
  return {
    line: {
      type: 'assistant',
      message: { id, role: 'assistant', content: [block] },
      parent_tool_use_id: parent,
      uuid: uuid ?? `a-${id}-$UUID`,
    },
  };
}

export const words = (text: string, parent?: string): FakeStep =>
  assistant({ type: 'text', text }, parent);
export const call = (id: string, name: string, input: Json, parent?: string): FakeStep =>
  assistant({ type: 'tool_use', id, name, input }, parent);

export function result(id: string, content: string, data: unknown, parent?: string): FakeStep {
  const blocks = [{ type: 'tool_result', tool_use_id: id, content }];
  return {
    line: {
      type: 'user',
      message: { role: 'user', content: blocks },
      parent_tool_use_id: parent ?? null,
      tool_use_result: data,
      uuid: `u-${id}-$UUID`,
    },
  };
}
