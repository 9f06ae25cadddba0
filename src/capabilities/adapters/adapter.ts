import type { Context } from '../../operation/context.ts';
import type { Call } from '../../operation/operation.ts';
import type { CapabilityRecord } from '../../site/capability-record.ts';

/** A task as its adapter sees it. */
export interface Run {
  taskId: string;
  capability: CapabilityRecord;
  /** Validated by the capability’s input schema. */
  input: Record<string, unknown>;
  /** The caller; absent where a task continues in the background. */
  caller?: Pick<Call, 'key' | 'address'>;
  /** The caller’s key for repeats. */
  idempotencyKey: string | null;
  /** The provider’s id of the job, once it has one. */
  job: string | null;
  /** Failed attempts in a row to reach the provider. */
  attempts: number;
  /** ISO 8601 time at which the task times out. */
  deadline: string;
}

/** Why a task ended without a result; `detail` is one sentence for its caller. */
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

/** The result of one step of a run. */
export type Step =
  | { kind: 'completed'; result: Record<string, unknown> }
  | { kind: 'failed'; error: RunError }
  /** To be continued after a pause in ms; `attempts` counts failures in a row. */
  | {
      kind: 'waiting';
      status: 'submitted' | 'working' | 'input_required';
      job: string | null;
      attempts: number;
      pauseMs: number;
    };

/** What runs the capabilities of one kind, spec.md “adapter”. */
export interface Adapter {
  /** Whether a run ends within the request that starts it. */
  immediate: boolean;
  /** Minutes after which a run that is not immediate times out. */
  patienceMinutes?: number;
  /**
   * The question of an input, which counts against the budget of questions; absent where none is
   * answered.
   */
  question?: (input: Record<string, unknown>) => unknown;
  /** Text of an input that a price counts; all of it when left out. */
  pricedText?: (input: Record<string, unknown>) => string;
  /**
   * One step. It may be taken again after a crash, so that its effect happens once by
   * `idempotencyKey` or `taskId`.
   * @throws {Problem} when an immediate adapter refuses the input; there is no task then
   */
  step: (run: Run, context: Context) => Promise<Step>;
  /** Notifies the provider that the task was canceled; absent without a provider. */
  abandon?: (run: Pick<Run, 'taskId' | 'job'>, context: Context) => Promise<void>;
}
