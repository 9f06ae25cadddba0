import { memberOf } from '../../site/json-object.ts';
import * as v from 'valibot';
import type { Context } from '../../operation/context.ts';
import { type Adapter, createFailedStep, type TaskRun, type Step } from './adapter.ts';
import { MAX_RESPONSE_BYTES, type JobProvider, JobProviderError } from './job-provider.ts';
import type { JobReport } from './job-report.ts';

export type JobProviderName = 'video' | 'research';

declare module '../../operation/context.ts' {
  interface Context {
    /**
     * External services that run jobs. If a capability's provider is not connected, its runs fail
     * and cost nothing.
     */
    readonly jobProviders?: { readonly [Name in JobProviderName]?: JobProvider };
  }
}

interface JobProviderAdapterOptions {
  name: JobProviderName;
  /** Schema of a provider's result; unknown members are dropped. */
  result: v.GenericSchema<unknown, Record<string, unknown>>;
  pricedTextOf?: Adapter['pricedTextOf'];
  timeoutMinutes: number;
  /** Default pause between polls in ms. */
  pauseMs: number;
}

/** An adapter that delegates its runs to a provider. */
export interface JobProviderAdapter extends Adapter {
  jobProvider: JobProviderName;
  toStep: (report: JobReport) => Step;
}

/** Whether an adapter delegates its runs to a provider. */
export const isJobProviderAdapter = (adapter: Adapter): adapter is JobProviderAdapter =>
  'jobProvider' in adapter;

/** Whether an adapter needs a provider that is not connected. */
export const lacksJobProvider = (
  adapter: Adapter,
  { jobProviders }: Pick<Context, 'jobProviders'>,
): boolean => isJobProviderAdapter(adapter) && !jobProviders?.[adapter.jobProvider];

const MAX_SUBMISSIONS = 3;
const MAX_PAUSE_MS = 60_000;
/** Default pause if the provider is busy. */
const BUSY_PAUSE_MS = 60_000;

function convertReport(
  report: JobReport,
  { result, pauseMs }: Pick<JobProviderAdapterOptions, 'result' | 'pauseMs'>,
): Step {
  switch (report.status) {
    case 'completed': {
      const { output, success } = v.safeParse(result, report.result);
      return success
        ? { kind: 'completed', result: output }
        : createFailedStep('result_invalid', 'The provider finished without a usable result.');
    }
    case 'failed':
    case 'canceled':
      return createFailedStep(
        'provider_failed',
        report.detail ?? 'The provider could not finish the job.',
      );
    case 'queued':
    case 'working':
    case 'input_required':
      return {
        kind: 'waiting',
        status: report.status === 'queued' ? undefined : report.status,
        job: report.jobId,
        attempts: 0,
        pauseMs: report.retryAfterSeconds === undefined ? pauseMs : report.retryAfterSeconds * 1000,
      };
    default:
      return report.status satisfies never;
  }
}

/** The next step of a run if the provider returned no report. */
function createStepAfterFault(
  { kind, retryAfterSeconds }: JobProviderError,
  { job, attempts }: Pick<TaskRun, 'job' | 'attempts'>,
): Step {
  const createWaitStep = (attemptCount: number, pauseMs: number): Step => ({
    kind: 'waiting',
    status: undefined,
    job,
    attempts: attemptCount,
    pauseMs,
  });
  switch (kind) {
    case 'refused':
      return createFailedStep('provider_failed', 'The provider refused the job.');
    case 'no_report':
      return createFailedStep('provider_failed', 'The provider’s response was not a report.');
    case 'too_large':
      return createFailedStep(
        'result_too_large',
        `The provider’s response had more than ${MAX_RESPONSE_BYTES} bytes.`,
      );
    case 'busy':
      return createWaitStep(
        attempts,
        retryAfterSeconds === undefined ? BUSY_PAUSE_MS : retryAfterSeconds * 1000,
      );
    case 'unreachable':
    case 'resting':
      if (job === null && (kind === 'resting' || attempts + 1 >= MAX_SUBMISSIONS))
        return createFailedStep(
          'provider_unavailable',
          'The provider cannot be reached at the moment.',
        );
      return createWaitStep(attempts + 1, Math.min(MAX_PAUSE_MS, 1000 * 2 ** attempts));
    default:
      return kind satisfies never;
  }
}

/** Submits, then polls until the provider has finished or the deadline has passed. */
export function createJobProviderAdapter(options: JobProviderAdapterOptions): JobProviderAdapter {
  const { name, pricedTextOf, timeoutMinutes } = options;
  const toStep = (report: JobReport) => convertReport(report, options);

  return {
    immediate: false,
    jobProvider: name,
    timeoutMinutes,
    ...(pricedTextOf && { pricedTextOf }),
    toStep,

    async step(run, { site, jobProviders, now, log }) {
      const { taskId, capability, input, job } = run;
      const jobProvider = jobProviders?.[name];
      if (!jobProvider)
        return createFailedStep(
          'provider_unavailable',
          `No provider is connected for ${capability.id}. Ask the operator to connect one.`,
        );
      const isLate = now().toISOString() >= run.deadline;
      const timeoutStep = createFailedStep(
        'provider_timeout',
        `The provider did not finish within ${timeoutMinutes} minutes.`,
      );
      if (isLate && job === null) return timeoutStep;
      const callbackUrl = `${site.base}/api/v1/tasks/${taskId}/callback`;
      const step = await (
        job === null
          ? jobProvider.submit({ taskId, capability: capability.id, input, callbackUrl })
          : jobProvider.read(job)
      )
        .then(toStep)
        .catch((error: unknown) => {
          if (!(error instanceof JobProviderError)) throw error;
          log.warn(
            {
              provider: name,
              task: taskId,
              fault: error.kind,
              status: error.status,
              reason: memberOf(error.cause, 'reason'),
            },
            'A provider returned no report.',
          );
          return createStepAfterFault(error, run);
        });
      // The job was polled once more even after the deadline, so that a finished job does not time
      // out.
      return isLate && step.kind === 'waiting' ? timeoutStep : step;
    },

    async cancelJob({ job }, { jobProviders, log }) {
      if (job === null) return;
      await jobProviders?.[name]
        ?.cancel(job)
        .catch(() =>
          log.warn({ provider: name }, 'Could not notify a provider that a task ended.'),
        );
    },
  };
}
