import {
  acceptedContent,
  type CallToolResult,
  inputRequired,
  type InputRequiredResult,
  type McpServerFactory,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { sendAsProvider } from '../../../src/leads/conversation/provider-message.ts';
import { createLeadTasks } from '../../../src/mcp/lead-tasks.ts';
import { createGuardedServerClass } from '../../../src/mcp/protocol-faults.ts';
import {
  toCreatedTaskResult,
  type McpTask,
  type McpTasks,
  serveTasks,
  taskCallOf,
  tasksCapability,
} from '../../../src/mcp/tasks.ts';
import type { Context } from '../../../src/operation/context.ts';
import { Problem } from '../../../src/operation/problem.ts';
import { isObject } from '../../../src/site/json-object.ts';
import { capture } from '../../deliveries/setup/drain.ts';

/**
 * Tools that scenarios for the tasks extension expect and that no real endpoint has. Their tasks
 * are leads, handled by the code of the real endpoint; a simulated provider answers them.
 */

type Answer = CallToolResult | InputRequiredResult;

const createTextResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

/** Result of a completed task, in place of its lead. */
type TaskOutcome =
  | { status: 'completed'; result: CallToolResult }
  | { status: 'failed'; error: { code: number; message: string } };

/** Form answers, keyed by the names that leads use. */
const withTextContent = (response: unknown) =>
  isObject(response) ? { ...response, content: { text: JSON.stringify(response['content']) } } : {};

/**
 * A server with these tools; `source` is the source of its leads. `stop` cancels the scheduled work
 * of its tools and waits for work in progress. Call it before the database closes.
 */
export function createTaskFixtures(
  context: Context,
  source: string,
): { factory: McpServerFactory; stop: () => Promise<void> } {
  const { base } = context.site;
  const leads = createLeadTasks(context);
  const outcomes = new Map<string, TaskOutcome>();
  /** Second leads of tasks that ask two questions at once. */
  const secondLeadByTask = new Map<string, string>();

  const actAsProvider = (lead: string, action: 'ask' | 'confirm' | 'decline', text: string) =>
    sendAsProvider({ receiptToken: lead, action, actor: 'provider' }, { text }, context).catch(
      (thrown) => {
        // The client has already canceled the task.
        if (!(thrown instanceof Problem && thrown.code === 'conflict')) throw thrown;
      },
    );
  const timers: NodeJS.Timeout[] = [];
  const startedWork: Promise<unknown>[] = [];
  const runLater = (delaySeconds: number, work: () => Promise<unknown>) =>
    timers.push(setTimeout(() => startedWork.push(work()), 1000 * delaySeconds).unref());

  const partsOf = (taskId: string) =>
    [taskId, secondLeadByTask.get(taskId)].filter((lead) => lead !== undefined);

  const tasks: McpTasks = {
    watch: leads.watch,
    async get(taskId, call): Promise<McpTask> {
      const parts = await Promise.all(partsOf(taskId).map((lead) => leads.get(lead, call)));
      const [task] = parts as [McpTask, ...McpTask[]];
      const requests = parts.flatMap((part, index) =>
        part.status === 'input_required'
          ? Object.entries(part.inputRequests).map(([key, request]) => [`${index}-${key}`, request])
          : [],
      );
      if (requests.length)
        return {
          ...task,
          status: 'input_required',
          inputRequests: Object.fromEntries(requests) as Extract<
            McpTask,
            { status: 'input_required' }
          >['inputRequests'],
        };
      const outcome = outcomes.get(taskId);
      if (task.status !== 'completed' || !outcome) return task;
      const { result: _, ...taskWithoutResult } = task;
      return { ...taskWithoutResult, ...outcome };
    },
    async update(taskId, responses, call) {
      for (const [index, lead] of partsOf(taskId).entries()) {
        const ownResponses = Object.entries(responses)
          .filter(([key]) => key.startsWith(`${index}-`))
          .map(([key, response]) => [key.slice(2), withTextContent(response)]);
        await leads.update(lead, Object.fromEntries(ownResponses), call);
        const { status } = await leads.get(lead, call);
        if (status === 'working') await actAsProvider(lead, 'confirm', 'Done.');
      }
    },
    cancel: (taskId, call) => leads.cancel(taskId, call),
  };

  async function createTaskWithQuestions(questions: number): Promise<string> {
    const [first, second] = await Promise.all(
      Array.from({ length: questions }, async () => {
        const lead = await capture(context, source);
        await actAsProvider(lead, 'ask', 'Go on?');
        return lead;
      }),
    );
    if (second) secondLeadByTask.set(first!, second);
    return first!;
  }

  /** Handler for each tool. Returns a result or a task ID. */
  const tools: Record<
    string,
    (args: Record<string, any>, ctx: ServerContext) => Promise<Answer | string>
  > = {
    greet: async ({ name }) => createTextResult(`Hello, ${name}!`),
    async slow_compute({ seconds: length }) {
      if (!length) return createTextResult('Computed.');
      const lead = await capture(context, source);
      runLater(length, () => actAsProvider(lead, 'confirm', 'Computed.'));
      return lead;
    },
    async failing_job(_, ctx) {
      if (!taskCallOf(ctx))
        throw new MissingRequiredClientCapabilityError({ requiredCapabilities: tasksCapability });
      const lead = await capture(context, source);
      outcomes.set(lead, {
        status: 'completed',
        result: { ...createTextResult('It failed.'), isError: true },
      });
      runLater(0.1, () => actAsProvider(lead, 'decline', 'It failed.'));
      return lead;
    },
    async protocol_error_job() {
      const lead = await capture(context, source);
      outcomes.set(lead, { status: 'failed', error: { code: -32603, message: 'It broke.' } });
      runLater(0.1, () => actAsProvider(lead, 'decline', 'It broke.'));
      return lead;
    },
    confirm_delete: () => createTaskWithQuestions(1),
    multi_input: () => createTaskWithQuestions(2),
    async test_tool_with_task(_, { mcpReq }) {
      const name = acceptedContent<{ name: string }>(mcpReq.inputResponses, 'user_name')?.name;
      if (name === undefined)
        return inputRequired({
          inputRequests: {
            user_name: inputRequired.elicit({
              message: 'What is your name?',
              requestedSchema: {
                type: 'object',
                properties: { name: { type: 'string' } },
                required: ['name'],
              },
            }),
          },
        });
      const lead = await capture(context, source);
      runLater(0.1, () => actAsProvider(lead, 'confirm', `Hello, ${name}.`));
      return lead;
    },
  };

  const Server = createGuardedServerClass(base, (thrown) =>
    thrown instanceof Problem ? thrown : new Problem('internal', 'A fixture failed.'),
  );
  const factory: McpServerFactory = () => {
    const server = new Server(
      { name: 'tasks-fixture', version: '1.0.0' },
      { capabilities: { tools: { listChanged: false }, ...tasksCapability } },
    );
    serveTasks(server, tasks, base);
    server.setRequestHandler('tools/list', () => ({
      tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' as const } })),
    }));
    server.setRequestHandler('tools/call', async ({ params }, ctx) => {
      const answer = await tools[params.name]!(params.arguments ?? {}, ctx);
      if (typeof answer !== 'string') return answer;
      const call = taskCallOf(ctx);
      return (
        (call && toCreatedTaskResult(await tasks.get(answer, call))) ?? createTextResult(answer)
      );
    });
    return server;
  };
  return {
    factory,
    async stop() {
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(startedWork);
    },
  };
}
