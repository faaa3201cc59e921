/** @throws DefinitionError for a tool that cannot be offered; without a `source` it is the server's own */
export type ToolCheck = (toolName: string, source?: string) => void;
