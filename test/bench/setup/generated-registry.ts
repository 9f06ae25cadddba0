import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';

const trades = [
  'plumbing',
  'roofing',
  'fencing',
  'painting',
  'tiling',
  'paving',
  'glazing',
  'insulation',
  'flooring',
  'gardening',
];

/**
 * A subsite of realistic size: prose, prices, facts, a guide and one action in about 4 KB of YAML.
 * As in the main network, every third subsite is in the capability catalog, and every fourth also
 * has its action there.
 */
function subsite(index: number): Record<string, unknown> {
  const trade = trades[index % trades.length]!;
  const name = `${trade}-${index}`;
  return {
    name,
    title: `${trade[0]!.toUpperCase()}${trade.slice(1)} No. ${index}`,
    purpose: `Quotes and visits for ${trade} in district ${index}.`,
    url: `/${name}`,
    schemaType: 'Service',
    jsonEndpoints: [],
    leadEndpoint: '/api/lead/action',
    leadSource: name,
    shareEndpoint: '/api/share',
    mcpTools: ['get_subsite_info', 'list_subsites'],
    category: (['marketing', 'product', 'misc'] as const)[index % 3],
    status: 'public',
    serviceArea: `District ${index}`,
    availability: 'Monday to Friday, 8 am to 5 pm',
    keywords: [trade, `district ${index}`, 'quote'],
    pricing: [
      {
        unit: 'visit',
        amount: 40 + (index % 60),
        currency: 'USD',
        notes: 'Credited toward the job.',
      },
    ],
    updated: `2026-${String(1 + (index % 9)).padStart(2, '0')}-${String(1 + (index % 28)).padStart(2, '0')}`,
    intro: `We do ${trade} in district ${index}. Describe the job and its location.\n\nWe will call you back to agree on a time.\n`,
    facts: Array.from(
      { length: 4 },
      (_, position) =>
        `Statement ${position + 1} about ${trade} in district ${index}, which readers can check on site.`,
    ),
    guide: Array.from({ length: 4 }, (_, position) => ({
      title: `Step ${position + 1} of ${trade}`,
      text: `What to do in step ${position + 1} before you call anyone, in a sentence of typical length.`,
    })),
    ...(index % 3 === 0 && { capabilities: true }),
    questions: [`Who does ${trade} in district ${index}?`, `What does a visit for ${trade} cost?`],
    actions: [
      {
        verb: `request_${trade}_quote`,
        title: 'Request a quote',
        description: `Requests a quote for ${trade}.`,
        respondWithinHours: 24,
        retentionDays: 365,
        ...(index % 4 === 0 && { capability: {} }),
        fields: {
          job: {
            type: 'enum',
            required: true,
            enum: ['repair', 'new', 'other'],
            description: 'Kind of job.',
            example: 'repair',
          },
          zip: {
            type: 'zip',
            required: true,
            description: 'ZIP code for the job.',
            example: '33701',
          },
          day: { type: 'date', required: false, description: 'Wanted day.', example: '2027-03-01' },
          notes: {
            type: 'string',
            required: false,
            description: 'Anything else that matters.',
            example: 'Second floor.',
          },
        },
      },
    ],
  };
}

/** Writes a valid registry of `count` subsites to `folder`. The output is deterministic. */
export function generateRegistry(folder: string, count: number): void {
  for (const part of ['subsites', 'pages']) mkdirSync(join(folder, part), { recursive: true });
  const write = (file: string, data: unknown) => writeFileSync(join(folder, file), stringify(data));
  write('network.yaml', {
    name: 'Generated',
    description: `A generated network of ${count} subsites.`,
    tagline: 'A generated network',
    version: '1.0.0',
    namespace: 'example.generated',
    organization: {
      name: 'Generated LLC',
      email: 'hello@generated.example',
      phone: '(727) 555-0100',
      locality: 'Town',
      region: 'FL',
      country: 'US',
    },
    security: { contact: 'security@generated.example', policy: '/security' },
    crawl: {
      search: true,
      aiInput: true,
      aiTrain: false,
      agents: ['GPTBot'],
      disallow: ['/receipt'],
    },
    agentArea: '/services/agent',
    leadNotice: 'A receipt is not a confirmed booking or payment.',
    leadTerms: { respondWithinHours: 48, retentionDays: 365 },
    skills: [],
  });
  write('routes.yaml', [
    { path: '/', audience: 'public' },
    { path: '/security', audience: 'public' },
    { path: '/api/agent-index', audience: 'machine' },
  ]);
  for (const [file, title] of [
    ['index', 'A generated network'],
    ['security', 'Security'],
  ] as const)
    writeFileSync(
      join(folder, 'pages', `${file}.md`),
      `---\ntitle: ${title}\ndescription: ${title}.\nupdated: 2026-01-01\n---\nText of the page.\n`,
    );
  for (let index = 0; index < count; index++) {
    const record = subsite(index);
    write(`subsites/${record.name as string}.yaml`, record);
  }
}
