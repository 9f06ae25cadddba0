import { SHARED_LEAD_ENDPOINTS, type Site } from '../registry/index.ts';
import { cancelTask } from './cancel-task.ts';
import { captureLead, captureLeadOf } from './capture-lead.ts';
import type { Context } from './context.ts';
import { createShareLink } from './create-share-link.ts';
import { followLink } from './follow-link.ts';
import type { Operation } from './operation.ts';
import { readLeadStatus } from './read-lead-status.ts';
import { readQuote } from './read-quote.ts';
import { readTask } from './read-task.ts';
import { requestQuote } from './request-quote.ts';
import { resolveShareLink } from './resolve-share-link.ts';
import { runCapability } from './run-capability.ts';
import { submitAction, submitActionOf } from './submit-action.ts';
import { randomTokens } from './tokens.ts';

export { DatabaseUnavailable } from '../../db/index.ts';
export { advanceTasks, eraseOldResults } from './advance-tasks.ts';
export { type Answer, answerNames, answers } from './answer-link.ts';
export { answerLead, type AnswerableLead, readAnswer } from './answer-lead.ts';
export { applyProviderReport } from './apply-provider-report.ts';
export { type ActiveKey, authenticateKey } from './authenticate-key.ts';
export { cancelTask } from './cancel-task.ts';
export { NOTE_LENGTH, possibleStates } from './change-lead.ts';
export { captureLead } from './capture-lead.ts';
export type { Context, Log, Tokens } from './context.ts';
export type { Offering } from './content.ts';
export { createShareLink, type ShareLink } from './create-share-link.ts';
export { eraseLead } from './erase-lead.ts';
export { expireLeads } from './expire-leads.ts';
export { exampleValues } from '../registry/index.ts';
export { followLink } from './follow-link.ts';
export { KEY_PATTERN } from './idempotency.ts';
export * from './lead-states.ts';
export { countLeads } from './lead-statistics.ts';
export * from './operation.ts';
export * from './problem.ts';
export { type OutboxState, readOutboxState } from './outbox-state.ts';
export { type LeadState, readLeadStatus } from './read-lead-status.ts';
export { readStorefront, type Storefront } from './read-storefront.ts';
export { readQuote } from './read-quote.ts';
export { readTask } from './read-task.ts';
export type { Receipt } from './receipt.ts';
export { receiptSigner } from './receipt-signature.ts';
export { requestQuote } from './request-quote.ts';
export { runCapability } from './run-capability.ts';
export { type Redirect, resolveShareLink } from './resolve-share-link.ts';
export { siteActions, submitAction } from './submit-action.ts';
export { sweep } from './sweep.ts';
export { withdrawLead } from './withdraw-lead.ts';

type AnyOperation = Operation<any, any>;

/** The lead doors that a site’s records add: one for each lead endpoint that is not shared. */
function dedicatedDoors({ registry }: Site): AnyOperation[] {
  return registry.subsites
    .filter((subsite) => !SHARED_LEAD_ENDPOINTS.includes(subsite.leadEndpoint))
    .map((subsite) => (subsite.actions[0] ? submitActionOf(subsite, subsite.actions[0]) : captureLeadOf(subsite)));
}

const bySite = new WeakMap<Site, readonly AnyOperation[]>();

/** Every operation of a site, in the order in which a reader meets them; dedicated lead endpoints come from its records. */
export function operations(site: Site): readonly AnyOperation[] {
  let list = bySite.get(site);
  if (!list) bySite.set(site, (list = [createShareLink, resolveShareLink, followLink, captureLead, submitAction, ...dedicatedDoors(site), readLeadStatus, requestQuote, readQuote, runCapability, readTask, cancelTask]));
  return list;
}

/** The world for a running service: its site, database and log, the system’s clock and random tokens. */
export function createContext(parts: Pick<Context, 'site' | 'database' | 'log' | 'linkSecret' | 'channels' | 'providers' | 'signReceipt'>): Context {
  return { ...parts, now: () => new Date(), tokens: randomTokens };
}
