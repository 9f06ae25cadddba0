import { createLead } from '../../leads/submit/create-lead.ts';
import type { FieldValues } from '../../leads/submit/validate-fields.ts';
import type { Contact } from '../../leads/submit/lead-input.ts';
import { SAMPLE_KEY } from '../../operation/idempotency.ts';
import { findSubsite } from '../../site/registry.ts';
import type { Adapter } from './adapter.ts';

/**
 * Creates a lead through the operation that every channel uses, including fields that only the
 * capability has.
 */
export const inquiry: Adapter = {
  immediate: true,
  async step({ capability, input, idempotencyKey, caller }, context) {
    const { contact, fields } = input as { contact: Contact; fields: FieldValues };
    const subsite = findSubsite(context.site.registry, capability.subsite!)!;
    const lead = {
      subsite: subsite.name,
      action: capability.action!,
      source: subsite.leadSource,
      fields,
      data: null,
      contact,
      sandbox: false,
    };
    // All callers share the idempotency keys of leads, so the sample key is not passed on; the
    // task's key still prevents a second lead.
    const isOwnKey = idempotencyKey !== null && idempotencyKey !== SAMPLE_KEY;
    const { output } = await createLead(
      lead,
      { channel: 'task', ...caller, ...(isOwnKey && { idempotencyKey }) },
      context,
      ['input', 'fields'],
    );
    return { kind: 'completed', result: { ...output } };
  },
};
