import { type Message, type Part, Role } from '@a2a-js/sdk';

export const createTextPart = (value: string): Part => ({
  content: { $case: 'text', value },
  metadata: undefined,
  filename: '',
  mediaType: 'text/plain',
});

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

export const createAgentMessage = (ids: MessageIds, parts: Part[]): Message => ({
  ...ids,
  role: Role.ROLE_AGENT,
  parts,
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});
