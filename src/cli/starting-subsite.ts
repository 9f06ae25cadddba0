import { stringify } from 'yaml';
import { NETWORK_TOOLS } from '../registry/rules/references.ts';
import { toPlaceholder } from '../registry/placeholders.ts';

const titleOf = (name: string): string =>
  name.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());

/** Optional properties that most services have, as comments. */
const OPTIONAL_YAML = `# Remove the number sign from each line that applies to the service.
# phone: (727) 555-0100
# serviceArea: Pinellas County
# hours:
#   - days: [Monday, Tuesday, Wednesday, Thursday, Friday]
#     opens: "09:00"
#     closes: "17:00"
# closedDays: # in addition to those in network.yaml
#   - date: 12-24 # every year; with a year, such as 2027-05-01, once
#     name: Christmas Eve
# notify: leads@example.com # receives the requests; default: LEADS_TO
`;

/** A value that only the operator knows: what it is, and a value that passes the check. */
type CreatePlaceholder = <Value extends string | number>(
  description: string,
  sample: Value,
) => string | Value;

/**
 * Creates a record for the operator to fill in. The check reports every value that `placeholderFor`
 * returns by default, until it is replaced. `today` is YYYY-MM-DD.
 */
export function createSubsiteRecord(
  name: string,
  today: string,
  placeholderFor: CreatePlaceholder = (description) => toPlaceholder(description),
): string {
  const title = titleOf(name);
  const record = {
    name,
    title,
    purpose: placeholderFor(
      `what a person gets from ${title}, in one sentence`,
      `${title} at home.`,
    ),
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
    pricing: [
      {
        unit: 'visit',
        amount: placeholderFor('price in US dollars, such as 100', 100),
        currency: 'USD',
        notes: placeholderFor('what the price includes', 'One visit.'),
      },
    ],
    questions: [`Who offers ${title}?`, `What does ${title} cost?`],
    actions: [
      {
        verb: `request_${name.replaceAll('-', '_')}_quote`,
        title: 'Request a quote',
        description: 'Asks for a quote; the provider answers by phone or email.',
        respondWithinHours: placeholderFor(
          'number of hours within which you promise an answer, such as 24',
          24,
        ),
        retentionDays: 365,
        fields: {
          zip: {
            type: 'zip',
            required: true,
            description: 'ZIP code of the service location.',
            example: '33701',
          },
          notes: {
            type: 'string',
            required: false,
            description: placeholderFor('what you need to know about the job', 'The job.'),
            example: placeholderFor('a few words that a customer might write here', 'Two rooms.'),
          },
        },
      },
    ],
  };
  return `# yaml-language-server: $schema=../schema/subsite.json\n${stringify(record, { lineWidth: 120 })}${OPTIONAL_YAML}`;
}
