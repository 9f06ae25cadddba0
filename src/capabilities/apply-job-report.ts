import { eq } from 'drizzle-orm';
import { tasks } from '../../db/schema-capabilities.ts';
import { adapters } from './adapters/index.ts';
import { isJobProviderAdapter } from './adapters/job-provider-adapter.ts';
import { parseJobReport } from './adapters/job-report.ts';
import { capabilityCatalogOf } from './capability-catalog.ts';
import type { Context } from '../operation/context.ts';
import { endTask } from './end-task.ts';
import { Problem } from '../operation/problem.ts';
import { recordProgress } from './record-progress.ts';
import { abandonedStates } from './task-record.ts';

/** The raw body of a callback, which the signature covers. */
export interface JobReportRequest {
  task: string;
  body: string;
  /** The request headers by lowercase name. */
  headers: Record<string, string>;
}

/**
 * Processes a provider's report about a task's job. A repeated report, a late report that the job
 * is queued, and a report after the task has ended have no effect.
 * @throws {Problem} not_found for an unknown task; unauthorized without the provider's signature;
 * malformed_body; invalid_input
 */
export async function applyJobReport(
  { task: id, body, headers }: JobReportRequest,
  context: Context,
): Promise<void> {
  const { database, site, jobProviders = {} } = context;
  const jobProviderClients = Object.values(jobProviders);
  const unknownTaskProblem = new Problem(
    'not_found',
    'No provider is working on a task with this ID.',
  );
  if (!jobProviderClients.length) throw unknownTaskProblem;
  const signatureProblem = new Problem(
    'unauthorized',
    'Sign the callback per Standard Webhooks with the shared secret; a signature is valid for five minutes.',
    { headers: { 'www-authenticate': 'Signature' } },
  );
  // Check the signature before any database query, so that unsigned calls stay cheap.
  if (!jobProviderClients.some((client) => client.isSigned(body, headers))) throw signatureProblem;
  const [task] = await database.writer.select().from(tasks).where(eq(tasks.id, id));
  if (!task) throw unknownTaskProblem;
  const record = capabilityCatalogOf(site).get(task.capability);
  const adapter = record && adapters[record.adapter];
  if (!adapter || !isJobProviderAdapter(adapter)) throw unknownTaskProblem;
  const jobProvider = jobProviders[adapter.jobProvider];
  if (!jobProvider) throw unknownTaskProblem;
  if (!jobProvider.isSigned(body, headers)) throw signatureProblem;
  const report = parseJobReport(body);
  if (!report)
    throw new Problem(
      'malformed_body',
      'Send a report as JSON with jobId, status and, if the job is completed, result.',
    );
  if (task.job !== null && task.job !== report.jobId)
    throw new Problem('invalid_input', 'The report is about another job.', {
      errors: [{ pointer: '/jobId', message: 'Send the ID of this task’s job.' }],
    });
  const step = adapter.toStep(report);
  if (task.endedAt !== null) {
    // If the response to the submission was late or lost, the job ID was unknown until now.
    if (task.job === null && step.kind === 'waiting' && abandonedStates.includes(task.status))
      void adapter.cancelJob?.({ taskId: id, job: report.jobId }, context);
    return;
  }
  if (step.kind !== 'waiting') {
    await endTask(task, step, context);
    return;
  }
  await recordProgress(id, step, {}, context);
}
