import type { Context } from '../../operation/context.ts';
import type { Call } from '../../operation/operation.ts';
import type { CapabilityRecord } from '../../site/capability-record.ts';
import type { TaskRow } from '../task-record.ts';

/** A task as passed to its adapter. */
export interface TaskRun extends Pick<TaskRow, 'idempotencyKey' | 'job' | 'attempts' | 'deadline'> {
  taskId: string;
  capability: CapabilityRecord;
  /** The input, already validated against the capability's input schema. */
  input: Record<string, unknown>;
  /** The caller; absent if the task continues in the background. */
  caller?: Pick<Call, 'key' | 'address'>;
}

/** Why a task ended without a result; `detail` is one sentence for the caller. */
export interface RunError {
  code:
    | 'provider_unavailable'
    | 'provider_failed'
    | 'provider_timeout'
    | 'result_invalid'
    | 'result_too_large'
    | 'key_revoked';
  detail: string;
}

export type Step =
  | { kind: 'completed'; result: Record<string, unknown> }
  | { kind: 'failed'; error: RunError }
  /** The run continues after a pause in ms; `attempts` counts consecutive failures. */
  | {
      kind: 'waiting';
      /** The reported state; undefined if the provider has reported none since the submission. */
      status: 'working' | 'input_required' | undefined;
      job: string | null;
      attempts: number;
      pauseMs: number;
    };

/** The step that ends a run as failed; `reason` is a sentence. */
export const createFailedStep = (code: RunError['code'], reason: string): Step => ({
  kind: 'failed',
  error: { code, detail: `${reason} Nothing was charged.` },
});

export interface Adapter {
  /** Whether a run finishes within the request that starts it. */
  immediate: boolean;
  /** Minutes after which a run that is not immediate times out. */
  timeoutMinutes?: number;
  /**
   * Returns the question in an input, which counts toward the question budget; absent if the
   * adapter answers no questions.
   */
  questionOf?: (input: Record<string, unknown>) => unknown;
  /** Returns the text in an input whose length determines the price; if absent, all text counts. */
  pricedTextOf?: (input: Record<string, unknown>) => string;
  /**
   * Makes further checks of a validated input without running anything; absent if there are none.
   * @throws {Problem} invalid_input
   */
  checkInput?: (run: Pick<TaskRun, 'capability' | 'input'>, context: Context) => void;
  /**
   * Runs one step. A step may be repeated after a crash, so it must be idempotent for its
   * `idempotencyKey` or `taskId`. @throws {Problem} when an immediate adapter rejects the input, in
   * which case no task is created
   */
  step: (run: TaskRun, context: Context) => Promise<Step>;
  /** Notifies the provider that the task was canceled; absent without a provider. */
  cancelJob?: (run: Pick<TaskRun, 'taskId' | 'job'>, context: Context) => Promise<void>;
}
