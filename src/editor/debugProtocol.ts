import {
  array,
  boolean,
  looseObject,
  number,
  optional,
  safeParse,
  string,
  unknown,
  type infer as Infer,
  type ZodMiniType,
} from 'zod/mini';

/**
 * The parts of the Debug Adapter Protocol that are read. Adapters come from anywhere: each list is
 * read entry by entry, and an entry of another shape is left out.
 */
const sourceSchema = looseObject({
  name: optional(string()),
  path: optional(string()),
  sourceReference: optional(number()),
});
export type DapSource = Infer<typeof sourceSchema>;

const threadSchema = looseObject({ id: number(), name: optional(string()) });
export type DapThread = Infer<typeof threadSchema>;

const frameSchema = looseObject({
  id: number(),
  name: optional(string()),
  line: optional(number()),
  column: optional(number()),
  source: optional(sourceSchema),
  presentationHint: optional(string()),
});
export type DapFrame = Infer<typeof frameSchema>;

const scopeSchema = looseObject({
  name: optional(string()),
  variablesReference: number(),
  namedVariables: optional(number()),
  indexedVariables: optional(number()),
  expensive: optional(boolean()),
});
export type DapScope = Infer<typeof scopeSchema>;

const variableSchema = looseObject({
  name: optional(string()),
  value: optional(string()),
  type: optional(string()),
  variablesReference: optional(number()),
  namedVariables: optional(number()),
  indexedVariables: optional(number()),
});
export type DapVariable = Infer<typeof variableSchema>;

const resultSchema = looseObject({
  result: optional(string()),
  type: optional(string()),
  variablesReference: optional(number()),
  namedVariables: optional(number()),
  indexedVariables: optional(number()),
});
export type DapResult = Infer<typeof resultSchema>;

const messageSchema = looseObject({
  type: string(),
  seq: optional(number()),
  request_seq: optional(number()),
  success: optional(boolean()),
  command: optional(string()),
  event: optional(string()),
  arguments: optional(unknown()),
  body: optional(unknown()),
});
export type DapMessage = Infer<typeof messageSchema>;

export const eventBodySchema = looseObject({
  reason: optional(string()),
  description: optional(string()),
  text: optional(string()),
  threadId: optional(number()),
  allThreadsStopped: optional(boolean()),
  preserveFocusHint: optional(boolean()),
  capabilities: optional(unknown()),
  allThreadsContinued: optional(boolean()),
  exitCode: optional(number()),
  category: optional(string()),
  output: optional(string()),
  source: optional(unknown()),
});
export type DapEventBody = Infer<typeof eventBodySchema>;

export const breakpointSchema = looseObject({
  verified: optional(boolean()),
  message: optional(string()),
  line: optional(number()),
});

export function readThreads(body: unknown): readonly DapThread[] {
  return readList(body, 'threads', threadSchema);
}

export function readFrames(body: unknown): readonly DapFrame[] {
  return readList(body, 'stackFrames', frameSchema);
}

export function readScopes(body: unknown): readonly DapScope[] {
  return readList(body, 'scopes', scopeSchema);
}

export function readVariables(body: unknown): readonly DapVariable[] {
  return readList(body, 'variables', variableSchema);
}

export function tryReadResult(body: unknown): DapResult | undefined {
  return tryRead(resultSchema, body);
}

export function tryReadMessage(message: unknown): DapMessage | undefined {
  return tryRead(messageSchema, message);
}

/** An empty one for a body of another shape: the event itself still counts. */
export function readEventBody(body: unknown): DapEventBody {
  return tryRead(eventBodySchema, body) ?? {};
}

export function tryRead<S extends ZodMiniType>(schema: S, value: unknown): Infer<S> | undefined {
  const parsed = safeParse(schema, value);
  return parsed.success ? parsed.data : undefined;
}

const listSchema = looseObject({ list: array(unknown()) });

function readList<S extends ZodMiniType>(
  body: unknown,
  key: string,
  schema: S,
): readonly Infer<S>[] {
  const list: unknown =
    typeof body === 'object' && body !== null ? Reflect.get(body, key) : undefined;
  const entries = tryRead(listSchema, { list })?.list ?? [];
  return entries.flatMap((entry) => {
    const read = tryRead(schema, entry);
    return read === undefined ? [] : [read];
  });
}
