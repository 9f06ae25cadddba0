import { z } from 'zod';
import { CURRENCY } from '../../site/prices/currency.ts';
import { action } from './action.ts';
import { searchPhrases, phrasesByWords, createStatementSchema } from '../search-phrases.ts';
import { businessTypes } from './business-types.ts';
import { image } from './image.ts';
import { closedDays } from './closed-days.ts';
import { choices, findChoiceProblem } from './field.ts';
import { HOURS_EXAMPLE, openingHours } from './opening-hours.ts';
import {
  addFault,
  calendarDate,
  dollars,
  emailAddress,
  integer,
  key,
  line,
  path,
  phoneNumber,
  prose,
  skillKey,
  zipPrefix,
} from './text.ts';

/** The schema.org types that a subsite's page may have. */
export const schemaTypes = [
  'Service',
  'Organization',
  'WebPage',
  'SoftwareApplication',
  'LocalBusiness',
  'Article',
  'ItemList',
] as const;

export const pricing = z
  .strictObject({
    unit: line(60).describe('What the amount pays for, such as “day” or “visit”.'),
    amount: dollars
      .min(0)
      .describe('Price in units of the currency, not in cents, such as 45 or 12.5.'),
    currency: z.enum([CURRENCY]).describe('ISO 4217 code.'),
    notes: line(200).optional().describe('What the price includes or depends on.'),
  })
  .describe('A published price.');

/** A subsite's price. Pages feature the first price that is not an extra. */
const subsitePrice = pricing
  .extend({
    extra: z
      .boolean()
      .optional()
      .describe(
        'true if the price is added to another price, as for delivery or an extra mile, or if another service charges it. Pages never show it as the main price.',
      ),
    for: choices
      .optional()
      .describe(
        'Choices to which the price applies, by field, such as {issue: [maintenance]}; the receipt and email show it only for these.',
      ),
    asked: searchPhrases.optional(),
  })
  .transform(({ asked: _, ...price }) => price);

/** Names of the figures that the build can compute from the registry for a snapshot. */
export const figures = [
  'subsites',
  'publicSubsites',
  'accountSubsites',
  'actions',
  'capabilities',
  'catalogItems',
  'facts',
  'guides',
] as const;

const snapshot = z
  .strictObject({
    path: path.describe('Path of the snapshot; also listed in jsonEndpoints.'),
    title: line(80).describe('Snapshot title.'),
    description: line(200).describe('What the snapshot contains, in one line.'),
    data: z.record(z.string(), z.json()).describe('Authored content.'),
    figures: z
      .record(z.string(), z.enum(figures))
      .optional()
      .describe('Figures to compute from the registry, each by its name in `data`.'),
  })
  .describe('A public JSON snapshot.');

const guideStep = z
  .strictObject({
    title: line(100).describe('Step title.'),
    text: line(1200).describe('Instructions for the step.'),
    asked: searchPhrases.optional(),
  })
  .transform(({ asked: _, ...step }) => step);

const infoTool = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9_]*$/, 'is not a tool name. Use snake_case')
      .describe('MCP tool name.'),
    title: line(60).describe('Display title.'),
    description: line(400).describe('What the tool returns and when to call it.'),
    shows: z
      .enum(['subsites', 'catalog', 'search'])
      .describe(
        'subsites: records, prices and facts of the subsites in `of`; catalog: items of these subsites, with paging and filters; search: items that match words.',
      ),
    of: z.array(key).min(1).describe('Subsites that the tool covers.'),
  })
  .describe('An information tool of the MCP endpoint.');

const access = z
  .strictObject({
    for: line(160).describe('Who can get an account, worded to follow “For”.'),
    steps: z
      .array(line(240))
      .min(1)
      .max(6)
      .describe('What the person does and what happens next, in order.'),
  })
  .describe('How to get an account, for a subsite that requires one.');

const credential = z
  .strictObject({
    kind: z.enum(['license', 'certification', 'insurance']).describe('Kind of credential.'),
    text: line(160).describe('Name of the credential and its holder.'),
    issuer: line(100).optional().describe('Issuer.'),
    number: line(40).optional().describe('Number for looking up the credential.'),
  })
  .describe('A license, certification or insurance policy of the business.');

/** The street address where a business receives customers, in US format. */
const streetAddress = z
  .strictObject({
    street: line(80).describe('House number and street.'),
    town: line(60).describe('Town.'),
    state: z
      .string()
      .regex(/^[A-Z]{2}$/, 'is not a state. Use its two capital letters, such as FL')
      .describe('Two-letter state code.'),
    zip: z
      .string()
      .regex(/^\d{5}$/, 'is not a ZIP code. Use five digits in quotes')
      .describe('Five-digit ZIP code, in quotes.'),
  })
  .describe('Street address where the business receives customers.');

const contactForm = z
  .strictObject({
    title: line(60).describe('Heading above the form.'),
    text: line(200).describe('Text below the heading that explains what happens next.'),
    button: line(40).describe('Label of the button.'),
    request: line(60)
      .optional()
      .describe(
        'Name of what the form sends, worded to follow “your”, such as “request for an account”. Default: “contact request”.',
      ),
    question: line(60).describe('Label of the question.'),
  })
  .describe('A form with a question and an email address.');

/** A subsite: its record, page, help and guide. The file is named after the subsite. */
export const subsite = z
  .strictObject({
    name: skillKey.describe('Short name, used in the manifest path; the same as the file name.'),
    title: line(80).describe('Display name.'),
    provider: line(80)
      .optional()
      .describe(
        'Name for whoever answers its requests, used in sentences in receipts and email if the title (such as “Sign-up”) is not a name. Default: the title.',
      ),
    purpose: line(240).describe('What the subsite offers, in one sentence.'),
    url: path.describe('Site-relative path of its page.'),
    schemaType: z.enum(schemaTypes).describe('schema.org type of its page.'),
    businessType: z
      .enum(businessTypes)
      .optional()
      .describe(
        'schema.org type of the business, such as HVACBusiness; omit it if no subtype of LocalBusiness applies.',
      ),
    jsonEndpoints: z.array(path).describe('Paths of its public JSON snapshots; may be empty.'),
    leadEndpoint: path.describe('Endpoint for its leads.'),
    leadSource: key.describe('Label sent as `source` with a lead; unique in the network.'),
    shareEndpoint: z.literal('/api/share').describe('Always /api/share.'),
    mcpTools: z.array(z.string()).describe('MCP tools that serve the subsite; may be empty.'),
    category: z.enum(['marketing', 'product', 'misc']).describe('Section of the network.'),
    rank: integer(1, 9999)
      .optional()
      .describe(
        'Position on the front page within the category, starting at 1. Subsites without a position follow, sorted by name.',
      ),
    status: z.enum(['public', 'auth']).describe('public, or auth if an account is required.'),
    actions: z.array(action).describe('Actions of the subsite; may be empty.'),
    contactForm: contactForm
      .optional()
      .describe('The form on a page without actions; omit it if there is nothing to ask.'),
    access: access.optional(),
    credentials: z
      .array(credential)
      .min(1)
      .optional()
      .describe('Licenses, certifications and insurance, shown at the top of its page.'),
    since: integer(1700, 2100).optional().describe('Year when the business started, such as 1998.'),
    skipJsonLd: z.boolean().optional().describe('True to omit JSON-LD from its page.'),
    skipSitemap: z.boolean().optional().describe('True to omit its page from the sitemap.'),
    alternatives: z
      .array(key)
      .min(1)
      .optional()
      .describe(
        'Other subsites that offer the same service, for people whose request was declined, withdrawn or expired.',
      ),
    serviceArea: createStatementSchema(160).optional().describe('Service area.'),
    availability: createStatementSchema(160).optional().describe('Opening hours.'),
    serviceZips: z
      .array(zipPrefix)
      .min(1)
      .optional()
      .describe(
        'ZIP codes of the service area, complete or as prefixes, such as 337. A request from outside the area is accepted, but the form and the receipt show a notice.',
      ),
    minimumTerm: z
      .strictObject({
        count: z.int().min(1).max(60),
        unit: z.enum(['day', 'week', 'month']),
      })
      .optional()
      .describe(
        'Shortest rental, such as {count: 3, unit: month}. Search results show it, with a notice if the search names a shorter time.',
      ),
    hours: openingHours
      .optional()
      .describe(`Weekly hours, shown as a table with “open now”, such as - ${HOURS_EXAMPLE}.`),
    closedDays: closedDays
      .optional()
      .describe('Days on which it is closed, in addition to `closedDays` in network.yaml.'),
    skipNetworkClosedDays: z
      .boolean()
      .optional()
      .describe('True if it is open on the days in `closedDays` in network.yaml.'),
    afterHours: line(60)
      .optional()
      .describe(
        'What is available after hours, such as “emergency calls every day”; shown after “Closed now”.',
      ),
    address: streetAddress.optional(),
    phone: phoneNumber.optional().describe('Phone number for questions about the subsite.'),
    keywords: z.array(line(40)).optional().describe('Words that people search for.'),
    pricing: z
      .array(subsitePrice)
      .optional()
      .describe('Published prices, with the headline price first.'),
    commission: z
      .strictObject({
        percent: z.number().positive().max(100).describe('Share of the proceeds, in percent.'),
        notes: line(200)
          .optional()
          .describe('What the commission is a share of, and when it is taken.'),
      })
      .optional()
      .describe('The commission, shown with the prices.'),
    updated: calendarDate.describe(
      'Day of the last change to this record, YYYY-MM-DD; the page’s lastmod, unless an item in its catalog changed later.',
    ),
    intro: prose.optional().describe('Markdown at the top of its page.'),
    asked: phrasesByWords.optional(),
    facts: z
      .array(createStatementSchema(400))
      .optional()
      .describe('Published, verifiable statements of one or two sentences each.'),
    guide: z.array(guideStep).optional().describe('Self-help steps.'),
    capabilities: z
      .boolean()
      .optional()
      .describe('true adds <name>.help and guide.<name> to the capability catalog.'),
    icon: key
      .optional()
      .describe('Name of an icon from lucide.dev/icons; default: an icon for the type.'),
    image: image.optional().describe('Photograph at the top of the page.'),
    questions: z
      .array(line(160))
      .min(2)
      .max(5)
      .optional()
      .describe('2 to 5 questions that this subsite answers.'),
    snapshots: z.array(snapshot).optional().describe('Public JSON snapshots.'),
    infoTools: z.array(infoTool).optional().describe('MCP information tools defined here.'),
    notify: emailAddress
      .optional()
      .describe('Email address that receives its leads, never published; default: LEADS_TO.'),
  })
  .superRefine(({ hours, ...record }, context) => {
    for (const key of ['closedDays', 'skipNetworkClosedDays'] as const)
      if (!hours && record[key] !== undefined)
        addFault(context, [key], 'has no effect without hours. Add hours, or omit the key');
    for (const [index, { for: needed = {} }] of (record.pricing ?? []).entries())
      for (const [name, values] of Object.entries(needed)) {
        const problem = findChoiceProblem(
          name,
          values,
          record.actions.map(({ fields }) => fields),
        );
        if (problem) addFault(context, ['pricing', index, 'for', name], problem);
      }
  })
  .describe('A subsite of the network.')
  .transform(({ asked: _, ...record }) => record);

export type Pricing = z.infer<typeof pricing>;

export type StreetAddress = z.infer<typeof streetAddress>;
export type Credential = z.infer<typeof credential>;
export type Snapshot = z.infer<typeof snapshot>;
export type InfoTool = z.infer<typeof infoTool>;
export interface Subsite extends z.infer<typeof subsite> {
  /** The closed days in `closedDays` that come from the network. */
  networkClosedDays?: z.infer<typeof closedDays>;
}
