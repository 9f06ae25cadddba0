import { SHARED_LEAD_ENDPOINTS } from '../site/registry.ts';
import type { Site } from '../site/site.ts';
import { cancelTask } from '../capabilities/cancel-task.ts';
import { captureLead, createCaptureLeadOperation } from '../leads/submit/capture-lead.ts';
import { createShareLink } from '../links/create-share-link.ts';
import { eraseRequest } from '../leads/erase/erase-request.ts';
import { findService } from '../leads/find-service.ts';
import { followLink } from '../links/follow-link.ts';
import type { Operation } from '../operation/operation.ts';
import { listHoldSubsites } from '../leads/holds/free-days-query.ts';
import { listFreeDays } from '../leads/holds/list-free-days.ts';
import { readLeadStatus } from '../leads/status/read-lead-status.ts';
import { readQuote } from '../capabilities/read-quote.ts';
import { readTask } from '../capabilities/read-task.ts';
import { requestQuote } from '../capabilities/request-quote.ts';
import { resolveShareLink } from '../links/resolve-share-link.ts';
import { runCapability } from '../capabilities/run-capability.ts';
import { sendMessage } from '../leads/conversation/send-message.ts';
import { submitAction, createSubmitActionOperation } from '../leads/submit/submit-action.ts';

/** Dedicated lead endpoints, which the records of a site define. */
function listDedicatedOperations({ registry }: Site): Operation[] {
  return registry.subsites
    .filter((subsite) => !SHARED_LEAD_ENDPOINTS.includes(subsite.leadEndpoint))
    .map((subsite) =>
      subsite.actions[0]
        ? createSubmitActionOperation(subsite, subsite.actions[0])
        : createCaptureLeadOperation(subsite),
    );
}

/** All operations of a site, in documentation order. */
export const listOperations = (site: Site): readonly Operation[] => [
  findService,
  createShareLink,
  resolveShareLink,
  followLink,
  ...(listHoldSubsites(site.registry).length ? [listFreeDays] : []),
  captureLead,
  submitAction,
  ...listDedicatedOperations(site),
  readLeadStatus,
  sendMessage,
  eraseRequest,
  requestQuote,
  readQuote,
  runCapability,
  readTask,
  cancelTask,
];
