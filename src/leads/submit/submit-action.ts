import * as v from 'valibot';
import type { Action } from '../../registry/schemas/action.ts';
import { actionInputs } from '../../site/forms/form-inputs.ts';
import type { Registry } from '../../site/registry.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';
import { findCallbackFaults } from './callback.ts';
import { findDayFaultsOnParse } from './requested-days.ts';
import { createLead } from './create-lead.ts';
import type { Context } from '../../operation/context.ts';
import {
  componentNameOf,
  createActionEnvelope,
  createActionExample,
  createAnyActionEnvelope,
  describeLeadOperation,
  leadProblems,
  MAX_DESCRIBED_ACTIONS,
  sharedMembers,
  sourceSchema,
} from './lead-channels.ts';
import {
  checkFields,
  checkFixedMember,
  checkReachability,
  contactSchema,
  type LeadInput,
  findActionAnywhere,
  findNamedAction,
  findNamedSubsite,
  rejectMisplacedMembers,
  sharedPartsOf,
  withFreeTextAdvice,
} from './lead-input.ts';
import { defineOperation, type CallChannel, type Operation } from '../../operation/operation.ts';
import type { InputFault } from '../../operation/problem.ts';
import type { Receipt } from '../status/receipt.ts';
import { createLeadForm } from './lead-form.ts';
import { isObject, memberOf } from '../../site/json-object.ts';
import { parsePointer } from '../../operation/json-pointer.ts';
import { validateValue, withExpectation, requireValidValues } from '../../operation/validate.ts';

const envelopeSchema = v.pipe(
  v.strictObject({
    subsite: v.optional(v.unknown()),
    action: v.optional(v.unknown()),
    fields: v.optional(v.unknown()),
    contact: v.optional(contactSchema),
    source: v.optional(sourceSchema),
    ...sharedMembers,
  }),
  withExpectation('Send a JSON object with subsite, action and fields.'),
);

/** Location of the contact's name in a body. */
const CONTACT_NAMES_BY_POINTER = { '/contact': ['name', 'email', 'phone'] } as const;

/** The actions of a site, each with its subsite. */
export const listSiteActions = (registry: Registry): { subsite: Subsite; action: Action }[] =>
  registry.subsites.flatMap((subsite) => subsite.actions.map((action) => ({ subsite, action })));

interface FixedValues {
  subsite: Subsite;
  action: Action;
}

/** Rejects a body that /api/email-capture accepts. @throws {Problem} invalid_input */
function rejectCapture(body: Readonly<Record<string, unknown>>): void {
  if (body['email'] === undefined || ['subsite', 'action', 'fields'].some((name) => name in body))
    return;
  rejectMisplacedMembers(
    body,
    ['email', 'name', 'data'],
    'This URL accepts subsite, action, fields and contact. Send a body with email, source, name and data to POST /api/email-capture, or over MCP to capture_lead.',
  );
}

/** The subsite and the action that a body names, or that the URL determines. */
interface NamedAction extends Partial<FixedValues> {
  /** The action that the fields belong to, even if the subsite or the verb is missing. */
  known: FixedValues | undefined;
}

/** Finds the subsite and the action of a body, or adds their errors. */
function findEnvelopeAction(
  body: Readonly<Record<string, unknown>> | undefined,
  registry: Registry,
  fixedValues: FixedValues | undefined,
  errors: InputFault[],
): NamedAction {
  if (fixedValues) {
    checkFixedMember(body, 'subsite', fixedValues.subsite.name, errors);
    checkFixedMember(body, 'action', fixedValues.action.verb, errors);
    return { ...fixedValues, known: fixedValues };
  }
  if (!body) return { known: undefined };
  rejectCapture(body);
  const { subsite: name, action: verb, fields } = body;
  const place = { pointer: '/action', registry };
  const candidates = registry.subsites.filter(({ actions }) => actions.length);
  const subsite = findNamedSubsite(registry, { name, verb, candidates }, '/subsite', errors);
  const action = subsite && findNamedAction(subsite, verb, place, errors);
  const named = action ?? (subsite?.actions.length === 1 ? subsite.actions[0] : undefined);
  const known = subsite
    ? named && { subsite, action: named }
    : findActionAnywhere(verb, place, errors);
  if (!known && fields !== undefined && !isObject(fields))
    errors.push({ pointer: '/fields', message: 'Send the fields of the action as an object.' });
  return { ...(subsite && { subsite }), ...(action && { action }), known };
}

/** Tells the caller that a contact detail does not fill in a required field with the same name. */
const withContactAdvice = (errors: readonly InputFault[], contact: unknown): InputFault[] =>
  errors.map((error) => {
    const [parent, name = ''] = parsePointer(error.pointer);
    return error.kind === 'missing' && parent === 'fields' && memberOf(contact, name) !== undefined
      ? {
          ...error,
          message: `${error.message} The ${name} in contact does not fill in this field.`,
        }
      : error;
  });

function parseEnvelope(
  value: unknown,
  context: Context,
  fixedValues: FixedValues | undefined,
  channel: CallChannel | undefined,
): LeadInput {
  const { registry } = context.site;
  const errors: InputFault[] = [];
  const body = isObject(value) ? value : undefined;
  const { subsite, action, known } = findEnvelopeAction(body, registry, fixedValues, errors);
  const { output, errors: others } = validateValue(envelopeSchema, value, [], {
    ...CONTACT_NAMES_BY_POINTER,
    ...(known && { '/fields': Object.keys(known.action.fields) }),
  });
  const fields =
    body && known
      ? checkFields(known, body['fields'], ['fields'], registry, errors, CONTACT_NAMES_BY_POINTER)
      : {};
  if (known && channel === 'form') checkReachability(known.action, body, errors);
  errors.push(...findCallbackFaults(body, context));
  errors.push(
    ...findDayFaultsOnParse(known?.action, body?.['fields'], errors.length + others.length > 0, {
      context,
      service: known?.subsite,
      now: context.now(),
      channel,
      fieldsPath: ['fields'],
    }),
  );
  const { owner, asked, sent } = requireValidValues(
    withContactAdvice(
      [...errors, ...(known ? withFreeTextAdvice(others, known.action, [], 'fields.') : others)],
      body?.['contact'],
    ),
    {
      owner: subsite,
      asked: action,
      sent: output,
    },
  );
  return {
    subsite: owner.name,
    action: asked.verb,
    source: sent.source ?? owner.leadSource,
    fields,
    data: null,
    contact: sent.contact ?? {},
    ...sharedPartsOf(sent),
  };
}

/** Submits any action of any subsite. */
export const submitAction = defineOperation<LeadInput, Receipt>({
  name: 'submit-action',
  summary: 'Submit an action',
  description:
    'Submits an action of a subsite, such as a quote or a visit. Submitting is free; the receipt is not a confirmed booking or payment.',
  method: 'POST',
  path: '/api/lead/action',
  problems: leadProblems,

  describe(site) {
    const actions = listSiteActions(site.registry);
    const [first] = actions;
    const describesEachAction = actions.length <= MAX_DESCRIBED_ACTIONS;
    const envelopes = describesEachAction
      ? Object.fromEntries(
          actions.map(({ subsite, action }) => [
            componentNameOf(subsite, action),
            createActionEnvelope(subsite, action, false),
          ]),
        )
      : { AnyAction: createAnyActionEnvelope() };
    const verb = first?.action.verb ?? null;
    const { components, ...shared } = describeLeadOperation(site, first?.subsite, verb);
    return {
      ...shared,
      request: actions.length
        ? {
            oneOf: Object.keys(envelopes).map((name) => ({ $ref: `#/components/schemas/${name}` })),
          }
        : { type: 'object', maxProperties: 0 },
      requestExamples: Object.fromEntries(
        (describesEachAction ? actions : actions.slice(0, 3)).map(({ subsite, action }) => [
          componentNameOf(subsite, action),
          {
            summary: `${subsite.title}: ${action.title}`,
            value: createActionExample(subsite, action, false),
          },
        ]),
      ),
      components: { ...components, ...envelopes },
    };
  },

  form: createLeadForm(actionInputs),
  parse: (value, context, channel) => parseEnvelope(value, context, undefined, channel),
  handle: (input, call, context) => createLead(input, call, context),
});

/**
 * Submits the only action of a subsite that has its own lead endpoint. Subsite and action are
 * fixed.
 */
export function createSubmitActionOperation(
  subsite: Subsite,
  action: Action,
): Operation<LeadInput, Receipt> {
  return defineOperation({
    ...submitAction,
    name: `submit-action-${subsite.name}`,
    summary: `${action.title} (${subsite.title})`,
    description: `${action.description} Submitting is free; the receipt is not a confirmed booking or payment.`,
    path: subsite.leadEndpoint,
    describe: (site) => ({
      ...describeLeadOperation(site, subsite, action.verb),
      request: createActionEnvelope(subsite, action, true),
      requestExamples: {
        [action.verb]: { summary: action.title, value: createActionExample(subsite, action, true) },
      },
    }),
    form: createLeadForm(actionInputs, { subsite, action }),
    parse: (value, context, channel) => parseEnvelope(value, context, { subsite, action }, channel),
  });
}
