import { z } from 'zod';
import { fieldTypes, type Field } from '../fields/fields.ts';
import type { Action } from '../registry/action.ts';
import { contractDigest } from '../site/contract.ts';
import { publishedPrices } from '../site/prices.ts';
import { type Subsite, schemaTypes } from '../registry/subsite.ts';
import { withBase } from '../site/site.ts';
import { absoluteUrl, component, contractMember, sitePath } from './components.ts';

const fieldSchema = component(
  'FieldSpec',
  z
    .strictObject({
      type: z
        .enum(fieldTypes)
        .describe('Kind of the value. Dates are YYYY-MM-DD, ZIP codes are text.'),
      required: z.boolean().describe('Whether the action is refused without it.'),
      enum: z
        .array(z.string())
        .optional()
        .describe('Values to choose from; present with type enum.'),
      description: z.string().optional().describe('What to write here.'),
      example: z.string().optional().describe('Sample data.'),
    })
    .describe('One field of an action.'),
);

const actionSchema = component(
  'Action',
  z
    .strictObject({
      verb: z.string().describe('Operation name, normally snake_case.'),
      description: z.string().describe('What submitting does.'),
      fields: z
        .record(z.string(), fieldSchema)
        .describe('Field definitions by name; may be empty.'),
      resultExample: z.string().optional().describe('JSON text of a sample result.'),
      contract: contractMember,
    })
    .describe('An action of a subsite; submitting it files a lead.'),
);

const pricingSchema = component(
  'Pricing',
  z
    .strictObject({
      unit: z.string().describe('What the amount buys.'),
      amount: z.number().describe('Price in whole currency units.'),
      currency: z.string().describe('ISO 4217 code.'),
      notes: z.string().optional().describe('What is included, or what changes the price.'),
    })
    .describe('A published price; never a booking.'),
);

/** A subsite as agents read it: only these members, though its record has more. */
export const subsiteRecordSchema = component(
  'SubsiteRecord',
  z
    .strictObject({
      name: z.string().describe('Short key, the {name} of the manifest path.'),
      title: z.string().describe('Name that people read.'),
      purpose: z.string().describe('One sentence: what a person gets here.'),
      url: sitePath.describe('Site-relative path of its page.'),
      schemaType: z.enum(schemaTypes).describe('schema.org type of its page.'),
      jsonEndpoints: z.array(sitePath).describe('Public JSON snapshots; may be empty.'),
      leadEndpoint: sitePath.describe('Where its actions or leads are submitted.'),
      leadSource: z.string().describe('Label to send as `source` with a lead.'),
      shareEndpoint: sitePath.describe('Where share links are minted.'),
      mcpTools: z.array(z.string()).describe('MCP tools that answer for it; may be empty.'),
      category: z.enum(['marketing', 'product', 'misc']).describe('Part of the network.'),
      status: z.enum(['public', 'auth']).describe('public, or auth where an account is needed.'),
      actions: z.array(actionSchema).describe('What can be asked of it; may be empty.'),
      manifestUrl: absoluteUrl.describe('Absolute URL of this record.'),
      fullUrl: absoluteUrl.describe('Absolute URL of its page.'),
      skipJsonLd: z.boolean().optional().describe('Whether its page carries no JSON-LD.'),
      skipSitemap: z.boolean().optional().describe('Whether its page is left out of the sitemap.'),
      serviceArea: z.string().optional().describe('Where the service is given.'),
      availability: z.string().optional().describe('When it is given.'),
      keywords: z.array(z.string()).optional().describe('Words that people search with.'),
      pricing: z.array(pricingSchema).optional().describe('Published prices.'),
    })
    .describe('One subsite of the network.'),
);

export type SubsiteRecord = z.infer<typeof subsiteRecordSchema>;

const fieldRecord = ({ type, required, enum: values, description, example }: Field) => ({
  type,
  required,
  ...(values && { enum: values }),
  ...(description !== undefined && { description }),
  ...(example !== undefined && { example }),
});

const actionRecord = (subsite: Subsite, action: Action, base: string) => {
  const { verb, description, fields, resultExample } = action;
  return {
    verb,
    description,
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, fieldRecord(field)]),
    ),
    ...(resultExample !== undefined && { resultExample: withBase(resultExample, base) }),
    contract: contractDigest(subsite, action),
  };
};

/** The public record of a subsite; `base` is the service’s origin. */
export function subsiteRecord(subsite: Subsite, base: string): SubsiteRecord {
  const {
    name,
    title,
    purpose,
    url,
    schemaType,
    jsonEndpoints,
    leadEndpoint,
    leadSource,
    shareEndpoint,
    mcpTools,
    category,
    status,
  } = subsite;
  const { skipJsonLd, skipSitemap, serviceArea, availability, keywords } = subsite;
  const pricing = publishedPrices(subsite);
  return {
    name,
    title,
    purpose,
    url,
    schemaType,
    jsonEndpoints,
    leadEndpoint,
    leadSource,
    shareEndpoint,
    mcpTools,
    category,
    status,
    actions: subsite.actions.map((action) => actionRecord(subsite, action, base)),
    manifestUrl: `${base}/api/agent/${name}`,
    fullUrl: `${base}${url}`,
    ...(skipJsonLd !== undefined && { skipJsonLd }),
    ...(skipSitemap !== undefined && { skipSitemap }),
    ...(serviceArea !== undefined && { serviceArea }),
    ...(availability !== undefined && { availability }),
    ...(keywords && { keywords }),
    ...(pricing && { pricing }),
  };
}
