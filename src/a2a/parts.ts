import { type Message, type Part, Role } from '@a2a-js/sdk';

/** A part that contains plain text. */
export const createTextPart = (value: string): Part => ({
  content: { $case: 'text', value },
  metadata: undefined,
  filename: '',
  mediaType: 'text/plain',
});

/** A part that contains JSON. */
export const createDataPart = (value: unknown): Part => ({
  content: { $case: 'data', value },
  metadata: undefined,
  filename: '',
  mediaType: 'application/json',
});

/** The IDs of a message and of its task and context; `taskId` is empty without a task. */
export interface MessageIds {
  messageId: string;
  taskId: string;
  contextId: string;
}

/** A message from the agent. */
export const createAgentMessage = (ids: MessageIds, parts: Part[]): Message => ({
  ...ids,
  role: Role.ROLE_AGENT,
  parts,
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});
