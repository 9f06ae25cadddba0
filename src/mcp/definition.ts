import type {
  GetPromptResult,
  Prompt,
  Resource,
  ResourceTemplateType,
} from '@modelcontextprotocol/server';
import type { McpTasks } from './tasks.ts';
import type { McpTool } from './tool.ts';

/** Values that start with the typed text; `chosen` has the arguments that are already filled in. */
export type Completer = (
  prefix: string,
  chosen: Readonly<Record<string, string>>,
) => readonly string[];

export interface McpResource {
  descriptor: Resource;
  read: () => string;
}

/**
 * Resources at the URIs of a template (RFC 6570); `read` returns undefined for an unknown resource.
 */
export interface McpResourceTemplate {
  descriptor: ResourceTemplateType;
  complete: Readonly<Record<string, Completer>>;
  read: (variables: Readonly<Record<string, string>>) => string | undefined;
}

/** A prompt; a missing required argument is rejected before `render`. */
export interface McpPrompt {
  descriptor: Prompt;
  complete: Readonly<Record<string, Completer>>;
  render: (args: Readonly<Record<string, string>>) => GetPromptResult;
}

/**
 * What one endpoint serves. It is built once, although each request gets a fresh server instance.
 */
export interface McpDefinition {
  /** Reverse-DNS name, as on the server card. */
  name: string;
  title: string;
  version: string;
  /** Instructions for the model, at most 1 KB. */
  instructions: string;
  /** Whether callers need a key; shared caches may store only the responses of other endpoints. */
  requiresKey: boolean;
  tools: readonly McpTool[];
  /** Tasks of the tools, for clients that support tasks; absent if no tool has tasks. */
  tasks?: McpTasks;
  resources: readonly McpResource[];
  templates: readonly McpResourceTemplate[];
  prompts: readonly McpPrompt[];
}
