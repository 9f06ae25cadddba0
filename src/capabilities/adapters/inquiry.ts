import { createLead } from '../../leads/submit/create-lead.ts';
import type { FieldValues } from '../../leads/submit/validate-fields.ts';
import type { Contact, LeadInput } from '../../leads/submit/lead-input.ts';
import { findLeadFaults } from '../../leads/submit/prepare-lead.ts';
import { SAMPLE_KEY } from '../../operation/idempotency.ts';
import { throwIfAnyFaults } from '../../operation/validate.ts';
import { findSubsite, type Registry } from '../../site/registry.ts';
import type { Adapter, TaskRun } from './adapter.ts';

const FIELDS_PATH = ['input', 'fields'];

/** The lead that a run creates. */
function createLeadInput(
  { capability, input }: Pick<TaskRun, 'capability' | 'input'>,
  registry: Registry,
): LeadInput {
  const { contact, fields } = input as { contact: Contact; fields: FieldValues };
  const subsite = findSubsite(registry, capability.subsite!)!;
  return {
    subsite: subsite.name,
    action: capability.action!,
    source: subsite.leadSource,
    fields,
    data: null,
    contact,
    sandbox: false,
  };
}

/**
 * Creates a lead with the operation that all channels share, including fields that only the
 * capability has.
 */
export const inquiry: Adapter = {
  immediate: true,
  checkInput(run, context) {
    const lead = createLeadInput(run, context.site.registry);
    const call = { channel: 'task' as const };
    throwIfAnyFaults(
      findLeadFaults(lead, { call, context, now: context.now(), fieldsPath: FIELDS_PATH }),
    );
  },
  async step(run, context) {
    const { idempotencyKey, caller } = run;
    // All callers share the idempotency keys of leads, so the sample key is not passed on; the
    // task's key still prevents a second lead.
    const isOwnKey = idempotencyKey !== null && idempotencyKey !== SAMPLE_KEY;
    const { output } = await createLead(
      createLeadInput(run, context.site.registry),
      { channel: 'task', ...caller, ...(isOwnKey && { idempotencyKey }) },
      context,
      FIELDS_PATH,
    );
    return { kind: 'completed', result: { ...output } };
  },
};
