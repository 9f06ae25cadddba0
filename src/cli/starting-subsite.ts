import { stringify } from 'yaml';
import { NETWORK_TOOLS } from '../registry/rules/references.ts';
import type { RecordPath } from '../registry/fault.ts';
import type { Subsite } from '../registry/subsite.ts';

const titleOf = (name: string): string =>
  name.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());

const purposePlaceholderOf = (title: string): string =>
  `What a person gets from ${title}, in one sentence.`;

/** Placeholder text in a new record, for the operator to replace. */
const placeholderValues = {
  price: 'What the price includes.',
  field: 'What is needed.',
  example: 'A few words about the job.',
} as const;

/** Optional properties that most services have, as comments. */
const OPTIONAL_YAML = `# Remove the number sign from each line that applies to the service.
# phone: (727) 555-0100
# serviceArea: Pinellas County
# hours:
#   - days: [Monday, Tuesday, Wednesday, Thursday, Friday]
#     opens: "09:00"
#     closes: "17:00"
# notify: leads@example.com # receives the requests; LEADS_TO when left out
`;

/** Creates a record that passes the check, for the operator to fill in. `today` is YYYY-MM-DD. */
export function createSubsiteRecord(name: string, today: string): string {
  const title = titleOf(name);
  const record = {
    name,
    title,
    purpose: purposePlaceholderOf(title),
    url: `/${name}`,
    schemaType: 'Service',
    jsonEndpoints: [],
    leadEndpoint: '/api/lead/action',
    leadSource: name,
    shareEndpoint: '/api/share',
    mcpTools: [...NETWORK_TOOLS].sort(),
    category: 'product',
    status: 'public',
    updated: today,
    pricing: [{ unit: 'visit', amount: 100, currency: 'USD', notes: placeholderValues.price }],
    questions: [`Who offers ${title}?`, `What does ${title} cost?`],
    actions: [
      {
        verb: `request_${name.replaceAll('-', '_')}_quote`,
        title: 'Request a quote',
        description: 'Asks for a quote; the provider answers by phone or email.',
        respondWithinHours: 24,
        retentionDays: 365,
        fields: {
          zip: {
            type: 'zip',
            required: true,
            description: 'ZIP code of the place of service.',
            example: '33701',
          },
          notes: {
            type: 'string',
            required: false,
            description: placeholderValues.field,
            example: placeholderValues.example,
          },
        },
      },
    ],
  };
  return `# yaml-language-server: $schema=../schema/subsite.json\n${stringify(record, { lineWidth: 120 })}${OPTIONAL_YAML}`;
}

/** Finds the places in a record that still contain a placeholder of `createSubsiteRecord`. */
export function placeholdersIn({ name, purpose, pricing = [], actions }: Subsite): RecordPath[] {
  return [
    ...(purpose === purposePlaceholderOf(titleOf(name)) ? [['purpose']] : []),
    ...pricing.flatMap(({ notes }, index) =>
      notes === placeholderValues.price ? [['pricing', index, 'notes']] : [],
    ),
    ...actions.flatMap(({ fields }, index) =>
      Object.entries(fields).flatMap(([field, { description, example }]) => [
        ...(description === placeholderValues.field
          ? [['actions', index, 'fields', field, 'description']]
          : []),
        ...(example === placeholderValues.example
          ? [['actions', index, 'fields', field, 'example']]
          : []),
      ]),
    ),
  ];
}
