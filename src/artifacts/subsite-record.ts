import { z } from 'zod';
import { describeField, fieldTypes, type Field, kindOf } from '../fields/fields.ts';
import type { Action } from '../registry/schemas/action.ts';
import { openingHours } from '../registry/schemas/opening-hours.ts';
import { CLOSED_ANSWER_RULE } from '../site/calendar/answer-deadline.ts';
import { MESSAGE_HINT_TEXT } from '../site/forms/message-hint.ts';
import { listRequirements, REQUIREMENTS_TEXT } from '../site/forms/requirements.ts';
import { createAvailableDaysUrl, FREE_DAYS_URL_TEXT } from '../site/hold-action.ts';
import { digestContract } from '../site/contract.ts';
import { answerTimeOf } from '../site/service-of-request.ts';
import { contactInfoOf } from '../site/contact-info.ts';
import { publishedPricesOf } from '../site/prices/prices.ts';
import { type Subsite, schemaTypes } from '../registry/schemas/subsite.ts';
import { type Site, withBase } from '../site/site.ts';
import {
  absoluteUrlSchema,
  registerComponent,
  contractDigestSchema,
  sitePathSchema,
} from './components.ts';

const fieldSchema = registerComponent(
  'FieldSpec',
  z
    .strictObject({
      type: z
        .enum(fieldTypes)
        .describe('Value type. Dates are in the form YYYY-MM-DD; ZIP codes are text.'),
      required: z.boolean().describe('True if the field is required.'),
      enum: z.array(z.string()).optional().describe('Accepted values; present if type is enum.'),
      description: z.string().optional().describe('What to send in this field.'),
      example: z
        .string()
        .optional()
        .describe('Sample data, as text even if the value to send is a number.'),
    })
    .describe('A field of an action.'),
);

const actionSchema = registerComponent(
  'Action',
  z
    .strictObject({
      verb: z.string().describe('Action name, normally snake_case.'),
      description: z.string().describe('What happens when the action is submitted.'),
      fields: z
        .record(z.string(), fieldSchema)
        .describe('Field definitions by name; may be empty.'),
      resultExample: z.string().optional().describe('Sample result as JSON text.'),
      contract: contractDigestSchema,
      respondWithinHours: z
        .number()
        .optional()
        .describe(
          `Promised response time in hours, counting every hour; absent if nobody has to answer. ${CLOSED_ANSWER_RULE}.`,
        ),
      retentionDays: z
        .number()
        .describe(
          'Number of days after the last change, or after the last requested day if that is later, until the request is erased.',
        ),
      messageHint: z.string().optional().describe(MESSAGE_HINT_TEXT),
      requirements: z.array(z.string()).optional().describe(REQUIREMENTS_TEXT),
      freeDaysUrl: z.string().optional().describe(FREE_DAYS_URL_TEXT),
    })
    .describe('An action of a subsite; submitting it creates a lead.'),
);

const pricingSchema = registerComponent(
  'Pricing',
  z
    .strictObject({
      unit: z.string().describe('Unit that the amount pays for.'),
      amount: z.number().describe('Price in whole currency units, such as dollars.'),
      currency: z.string().describe('ISO 4217 code.'),
      notes: z.string().optional().describe('What the price includes or depends on.'),
    })
    .describe('A published price, not a booking.'),
);

/** A subsite as agents see it. The members are a public interface. */
export const subsiteRecordSchema = registerComponent(
  'SubsiteRecord',
  z
    .strictObject({
      name: z.string().describe('Short name, used in the manifest path.'),
      title: z.string().describe('Display name.'),
      purpose: z.string().describe('What the subsite offers, in one sentence.'),
      url: sitePathSchema.describe('Site-relative path of the subsite’s page.'),
      schemaType: z.enum(schemaTypes).describe('schema.org type of the subsite’s page.'),
      jsonEndpoints: z.array(sitePathSchema).describe('Public JSON snapshots; may be empty.'),
      leadEndpoint: sitePathSchema.describe('Endpoint for the subsite’s leads.'),
      leadSource: z.string().describe('Label to send as `source` with a lead.'),
      shareEndpoint: sitePathSchema.describe('Endpoint that creates share links.'),
      mcpTools: z.array(z.string()).describe('MCP tools that serve the subsite; may be empty.'),
      category: z.enum(['marketing', 'product', 'misc']).describe('Section of the network.'),
      status: z.enum(['public', 'auth']).describe('public, or auth if an account is required.'),
      actions: z.array(actionSchema).describe('Actions of the subsite; may be empty.'),
      manifestUrl: absoluteUrlSchema.describe('Absolute URL of this record.'),
      fullUrl: absoluteUrlSchema.describe('Absolute URL of the subsite’s page.'),
      skipJsonLd: z.boolean().optional().describe('True if the subsite’s page omits JSON-LD.'),
      skipSitemap: z.boolean().optional().describe('True if the sitemap omits the subsite’s page.'),
      serviceArea: z.string().optional().describe('Service area.'),
      availability: z.string().optional().describe('Opening hours, in words.'),
      timeZone: z.string().describe('IANA time zone of the hours and of every date in a request.'),
      hours: openingHours
        .optional()
        .describe('Weekly hours in the time zone; a day without an entry is closed.'),
      closedDays: z
        .array(
          z.strictObject({
            date: z.string().describe('YYYY-MM-DD, or MM-DD for a day that recurs every year.'),
            name: z.string().optional().describe('Name of the day.'),
          }),
        )
        .optional()
        .describe('Days on which the subsite is closed despite its weekly hours.'),
      afterHours: z.string().optional().describe('What the subsite offers outside its hours.'),
      phone: z.string().describe('Phone number to call: the subsite’s own, or the network’s.'),
      emergency: z
        .string()
        .optional()
        .describe('Whom to call in an emergency; present if the subsite takes emergencies.'),
      keywords: z.array(z.string()).optional().describe('Search keywords.'),
      pricing: z.array(pricingSchema).optional().describe('Published prices.'),
    })
    .describe('A subsite of the network.'),
);

export type SubsiteRecord = z.infer<typeof subsiteRecordSchema>;

/**
 * The description of a field, including the type to send and, if that type is not text, the example
 * in that type. The example itself is text for every field.
 */
function describeFieldAndType(field: Field): string | undefined {
  const { example } = field;
  const { read, rule } = kindOf(field);
  const sentences = [
    describeField(field),
    read && rule(field),
    read && example && `The example is given as text; send it as ${read(example)}.`,
  ];
  return sentences.filter(Boolean).join(' ') || undefined;
}

const toFieldRecord = (field: Field) => {
  const { type, required, enum: values, example } = field;
  const description = describeFieldAndType(field);
  return {
    type,
    required,
    ...(values && { enum: values }),
    ...(description !== undefined && { description }),
    ...(example !== undefined && { example }),
  };
};

const toActionRecord = (
  subsite: Subsite,
  action: Action,
  { base, dynamic }: Pick<Site, 'base' | 'dynamic'>,
) => {
  const { verb, description, fields, messageHint, resultExample } = action;
  const requirements = listRequirements(action);
  const freeDaysUrl = dynamic ? createAvailableDaysUrl(subsite, action, base) : undefined;
  return {
    verb,
    description,
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, toFieldRecord(field)]),
    ),
    ...(resultExample !== undefined && { resultExample: withBase(resultExample, base) }),
    contract: digestContract(subsite, action),
    ...answerTimeOf(action),
    retentionDays: action.retentionDays,
    ...(messageHint !== undefined && { messageHint }),
    ...(requirements.length && { requirements }),
    ...(freeDaysUrl !== undefined && { freeDaysUrl }),
  };
};

export function toSubsiteRecord(
  subsite: Subsite,
  { registry, base, dynamic }: Pick<Site, 'registry' | 'base' | 'dynamic'>,
): SubsiteRecord {
  const { skipJsonLd, skipSitemap, serviceArea, availability, keywords } = subsite;
  const pricing = publishedPricesOf(subsite);
  return {
    name: subsite.name,
    title: subsite.title,
    purpose: subsite.purpose,
    url: subsite.url,
    schemaType: subsite.schemaType,
    jsonEndpoints: subsite.jsonEndpoints,
    leadEndpoint: subsite.leadEndpoint,
    leadSource: subsite.leadSource,
    shareEndpoint: subsite.shareEndpoint,
    mcpTools: subsite.mcpTools,
    category: subsite.category,
    status: subsite.status,
    actions: subsite.actions.map((action) => toActionRecord(subsite, action, { base, dynamic })),
    manifestUrl: `${base}/api/agent/${subsite.name}`,
    fullUrl: `${base}${subsite.url}`,
    ...(skipJsonLd !== undefined && { skipJsonLd }),
    ...(skipSitemap !== undefined && { skipSitemap }),
    ...(serviceArea !== undefined && { serviceArea }),
    ...(availability !== undefined && { availability }),
    timeZone: registry.network.timeZone,
    ...contactInfoOf(subsite, registry),
    ...(keywords && { keywords }),
    ...(pricing && { pricing }),
  };
}
