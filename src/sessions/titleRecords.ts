/**
 * The records by which the CLI keeps a title in a conversation's file. Fact: of several the last one
 * counts, and the CLI takes one that somebody else has appended as it takes its own.
 */
export function titleRecords(sessionId: string, title: string): readonly object[] {
  return [
    { type: 'custom-title', customTitle: title, sessionId },
    { type: 'agent-name', agentName: title, sessionId },
  ];
}
