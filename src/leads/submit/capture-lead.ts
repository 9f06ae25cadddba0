import * as v from 'valibot';
import { kindOf } from '../../fields/fields.ts';
import { QUESTION_FIELD } from '../../site/forms/contact-rule.ts';
import { captureInputs } from '../../site/forms/form-inputs.ts';
import { EMAIL_ENDPOINT, type Registry } from '../../site/registry.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';
import { withAdvice } from '../../operation/unknown-names.ts';
import { email } from './validate-fields.ts';
import { findCallbackFaults } from './callback.ts';
import { findDayFaultsOnParse } from './requested-days.ts';
import { createLead } from './create-lead.ts';
import type { Context } from '../../operation/context.ts';
import { idempotencyParameter } from '../../operation/idempotency.ts';
import { jsonSchemaOf } from '../../operation/json-schema.ts';
import {
  describeLeadOperation,
  leadProblems,
  MAX_DESCRIBED_ACTIONS,
  sharedMembers,
} from './lead-channels.ts';
import { createLeadForm } from './lead-form.ts';
import {
  checkFields,
  checkFixedMember,
  type LeadInput,
  findActionAnywhere,
  findNamedAction,
  sharedPartsOf,
  personNameSchema,
  rejectMisplacedMembers,
} from './lead-input.ts';
import {
  defineOperation,
  type CallChannel,
  type JsonSchema,
  type Operation,
} from '../../operation/operation.ts';
import type { InputFault } from '../../operation/problem.ts';
import type { Receipt } from '../status/receipt.ts';
import { createFreeObjectSchema } from '../../operation/text-schemas.ts';
import { isObject } from '../../site/json-object.ts';
import { formatPointer } from '../../operation/json-pointer.ts';
import {
  validateValue,
  createMissingNameFault,
  createNameFault,
  withDescription,
  requireValidValues,
  withExpectation,
} from '../../operation/validate.ts';
import { suggestNearest } from '../../site/corrections/similar-names.ts';

const MAX_DATA_BYTES = 16_384;

const requestSchema = v.pipe(
  v.strictObject({
    email: withDescription(email, 'Email address of the person.'),
    source: v.optional(v.unknown()),
    name: v.optional(personNameSchema),
    data: v.optional(
      v.pipe(
        createFreeObjectSchema(MAX_DATA_BYTES),
        withExpectation(
          `Send an object of at most ${MAX_DATA_BYTES} bytes, at most 16 levels deep.`,
        ),
        v.description(
          'Additional data about the lead, at most 16 KiB as JSON. If data.action names an action of the subsite, the other members are validated as fields of the action.',
        ),
      ),
    ),
    ...sharedMembers,
  }),
  withExpectation('Send a JSON object with email and source.'),
);

function findSourceSubsite(
  registry: Registry,
  sent: unknown,
  errors: InputFault[],
): Subsite | undefined {
  const subsite =
    typeof sent === 'string'
      ? registry.subsites.find((other) => other.leadSource === sent)
      : undefined;
  if (subsite) return subsite;
  const allowed = registry.subsites.map((other) => other.leadSource);
  const intendedSubsite = registry.subsites.find(
    ({ name, url }) => name === sent || url === `/${String(sent)}`,
  );
  const guess = intendedSubsite
    ? ` Did you mean ${intendedSubsite.leadSource}?`
    : suggestNearest(sent, allowed);
  const rule =
    'Enter the leadSource of a subsite from the agent index or, over MCP, from get_subsite_info.';
  errors.push(createNameFault(sent, '/source', rule, { allowed, guess }));
  return undefined;
}

/**
 * Member names that `data` can have if it names an action; for an unknown subsite, only `action`.
 */
const listNamesInData = (subsite: Subsite | undefined): string[] =>
  subsite && !subsite.actions.length
    ? []
    : ['action', ...(subsite?.actions ?? []).flatMap(({ fields }) => Object.keys(fields))];

/** Names of members that callers often send next to `email` instead of in `data`. */
const NAMES_FOR_DATA = ['message', 'question', 'notes', 'text', 'phone'];

/** Adds to errors where contact members belong, because this body has no `contact`. */
const withContactAdvice = (errors: readonly InputFault[]): InputFault[] =>
  errors.map((error) =>
    error.pointer === '/contact' && error.kind === 'unknown'
      ? {
          ...withAdvice(
            error,
            'Send email and name at the top level, and anything else, such as phone, in data.',
          ),
          kind: 'misplaced',
        }
      : error,
  );

/** Rejects a body that /api/lead/action accepts. @throws {Problem} invalid_input */
function rejectEnvelope(body: Readonly<Record<string, unknown>> | undefined): void {
  if (!body || body['email'] !== undefined) return;
  if (body['subsite'] === undefined && body['fields'] === undefined) return;
  rejectMisplacedMembers(
    body,
    ['subsite', 'action', 'fields', 'contact'],
    'This URL accepts email, source, name and data. Send a body with subsite, action, fields and contact to POST /api/lead/action, or over MCP to submit_action.',
  );
}

function parseCapture(
  value: unknown,
  context: Context,
  fixedSubsite: Subsite | undefined,
  channel: CallChannel | undefined,
): LeadInput {
  const { registry } = context.site;
  const errors: InputFault[] = [];
  const body = isObject(value) ? value : undefined;
  rejectEnvelope(body);
  if (fixedSubsite) checkFixedMember(body, 'source', fixedSubsite.leadSource, errors);
  const subsite = fixedSubsite ?? (body && findSourceSubsite(registry, body['source'], errors));
  const data = body && isObject(body['data']) ? body['data'] : undefined;
  const place = { pointer: '/data/action', registry };
  const namesAction = data !== undefined && Object.hasOwn(data, 'action');
  const namedAction =
    subsite && namesAction ? findNamedAction(subsite, data['action'], place, errors) : undefined;
  const known =
    subsite && namedAction
      ? { subsite, action: namedAction }
      : !subsite && namesAction
        ? findActionAnywhere(data['action'], place, errors)
        : undefined;
  const { output, errors: bodyErrors } = validateValue(requestSchema, value, [], {
    '/data': known
      ? Object.keys(known.action.fields)
      : [...listNamesInData(subsite), ...NAMES_FOR_DATA],
  });
  const others = withContactAdvice(bodyErrors);
  // A contact form needs a question.
  if (channel === 'form' && subsite?.contactForm && !namedAction && !data?.[QUESTION_FIELD])
    errors.push(
      createMissingNameFault(formatPointer('data', QUESTION_FIELD), 'Enter your question.', {
        instruction: kindOf({ type: 'string' }).instruction({
          required: true,
          label: subsite.contactForm.question,
        }),
      }),
    );
  const { action: _, ...rest } = data ?? {};
  const fields = known ? checkFields(known, rest, ['data'], registry, errors) : {};
  errors.push(...findCallbackFaults(body, context));
  errors.push(
    ...findDayFaultsOnParse(known?.action, rest, errors.length + others.length > 0, {
      context,
      service: known?.subsite ?? subsite,
      now: context.now(),
      channel,
      fieldsPath: ['data'],
    }),
  );
  const { owner, sent } = requireValidValues([...errors, ...others], {
    owner: subsite,
    sent: output,
  });
  return {
    subsite: owner.name,
    action: namedAction?.verb ?? null,
    source: owner.leadSource,
    fields,
    data: namedAction ? null : (sent.data ?? null),
    contact: { email: sent.email, ...(sent.name !== undefined && { name: sent.name }) },
    ...sharedPartsOf(sent),
  };
}

/**
 * Creates the JSON Schema of the body; `isSetByUrl` is true if the URL determines
 * the subsite and that subsite has no actions.
 */
function createBodySchema(sources: readonly string[], isSetByUrl: boolean): JsonSchema {
  const schema = jsonSchemaOf(requestSchema) as {
    properties: Record<string, JsonSchema>;
    required: string[];
  };
  const source = {
    type: 'string',
    ...(sources.length <= MAX_DESCRIBED_ACTIONS && { enum: sources }),
    description: 'The leadSource of the subsite.',
  };
  const { contract, ...others } = schema.properties;
  return {
    ...schema,
    properties: {
      ...others,
      ...(!isSetByUrl && { contract }),
      source,
      data: { ...schema.properties['data'], type: 'object', additionalProperties: true },
    },
    required: isSetByUrl ? ['email'] : ['email', 'source'],
  };
}

const EXAMPLE_PERSON = { email: 'dana@example.com', name: 'Dana Reyes' };

/**
 * Creates a lead from an email address and the leadSource of a subsite; `data.action` names an
 * action.
 */
export const captureLead = defineOperation<LeadInput, Receipt>({
  name: 'capture-lead',
  summary: 'Leave an email address with a subsite',
  description:
    'Creates a lead from an email address and the leadSource of a subsite. data.action selects an action of the subsite. The receipt is not a confirmed booking or payment.',
  method: 'POST',
  path: EMAIL_ENDPOINT,
  problems: leadProblems,

  describe(site) {
    const { subsites } = site.registry;
    const plain =
      subsites.find(
        (subsite) => subsite.leadEndpoint === EMAIL_ENDPOINT && !subsite.actions.length,
      ) ?? subsites[0];
    const { components, ...shared } = describeLeadOperation(site, plain, null);
    return {
      ...shared,
      request: { $ref: '#/components/schemas/LeadCapture' },
      requestExamples: {
        plain: {
          summary: 'A plain lead',
          value: { ...EXAMPLE_PERSON, source: plain?.leadSource ?? 'source', sandbox: true },
        },
      },
      components: {
        ...components,
        LeadCapture: createBodySchema(
          subsites.map((subsite) => subsite.leadSource),
          false,
        ),
      },
    };
  },

  form: createLeadForm(captureInputs),
  parse: (value, context, channel) => parseCapture(value, context, undefined, channel),
  handle: (input, call, context) => createLead(input, call, context, ['data']),
});

/**
 * Creates leads for a subsite without actions that has its own lead endpoint; the URL determines
 * the source.
 */
export function createCaptureLeadOperation(subsite: Subsite): Operation<LeadInput, Receipt> {
  return defineOperation({
    ...captureLead,
    name: `capture-lead-${subsite.name}`,
    summary: `Leave an email address with ${subsite.title}`,
    description: `Creates a lead for ${subsite.title} from an email address. The receipt is not a confirmed booking or payment.`,
    path: subsite.leadEndpoint,
    describe: (site) => ({
      ...describeLeadOperation(site, subsite, null),
      // Only actions have contracts.
      parameters: [idempotencyParameter],
      request: createBodySchema([subsite.leadSource], true),
      requestExamples: {
        plain: { summary: 'A plain lead', value: { ...EXAMPLE_PERSON, sandbox: true } },
      },
    }),
    form: createLeadForm(captureInputs, { subsite }),
    parse: (value, context, channel) => parseCapture(value, context, subsite, channel),
  });
}
