import { fileLead } from '../operations/file-lead.ts';
import type { FieldValues } from '../operations/fields.ts';
import type { Contact } from '../operations/lead-input.ts';
import { findSubsite } from '../registry/index.ts';
import type { Adapter } from './adapter.ts';

/** Files a lead through the same operation as every other door; fields that only the capability has are kept with it. */
export const inquiry: Adapter = {
  immediate: true,
  async step({ capability, input, idempotencyKey }, context) {
    const { contact, fields } = input as { contact: Contact; fields: FieldValues };
    const subsite = findSubsite(context.site.registry, capability.subsite!)!;
    const lead = { subsite: subsite.name, action: capability.action!, source: subsite.leadSource, fields, data: null, contact, sandbox: false };
    const { output } = await fileLead(lead, { door: 'task', ...(idempotencyKey !== null && { idempotencyKey }) }, context, ['input', 'fields']);
    return { kind: 'completed', result: { ...output } };
  },
};
