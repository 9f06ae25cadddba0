import { stringify } from 'yaml';
import type { Source } from '../../src/registry/source/source.ts';

/** A record that tests may change freely. */
export type EditableRecord = { [key: string]: any };

/** A minimal network: two subsites, and one catalog, page, route, link and capability. */
export function createSampleFiles(): Record<string, EditableRecord> {
  const subsite = (name: string, more: EditableRecord = {}): EditableRecord => ({
    name,
    title: `Title of ${name}`,
    purpose: 'What a person gets here.',
    url: `/${name}`,
    schemaType: 'Service',
    jsonEndpoints: [],
    leadEndpoint: '/api/lead/action',
    leadSource: name,
    shareEndpoint: '/api/share',
    mcpTools: ['list_subsites'],
    category: 'product',
    status: 'public',
    updated: '2026-01-02',
    questions: ['Who does it?', 'What does it cost?'],
    actions: [],
    ...more,
  });
  return {
    'network.yaml': {
      name: 'Sample',
      description: 'A sample network.',
      tagline: 'A sample',
      version: '1.0.0',
      namespace: 'example.sample',
      organization: {
        name: 'Sample',
        email: 'a@sample.example',
        phone: '+1 727 555 0100',
        locality: 'Town',
        region: 'XX',
        country: 'US',
      },
      security: { contact: 'a@sample.example', policy: '/kites/terms' },
      crawl: { search: true, aiInput: true, aiTrain: false, agents: [], disallow: [] },
      agentArea: '/agents',
      leadNotice: 'Not a booking.',
      leadTerms: { respondWithinHours: 24, retentionDays: 30 },
      skills: [],
    },
    'routes.yaml': [
      { path: '/kites', audience: 'public' },
      { path: '/kites/[id]', audience: 'public' },
      { path: '/api/agent-index', audience: 'machine' },
    ],
    'links.yaml': [{ slug: 'kites', target: '/kites', title: 'Kites' }],
    'capabilities.yaml': [
      {
        id: 'company.assist',
        title: 'Assist',
        description: 'Answers.',
        route: '/kites',
        mode: 'information',
        adapter: 'assist',
        inputSchema: {
          type: 'object',
          properties: { question: { type: 'string' } },
          additionalProperties: false,
        },
        example: { question: 'Who?' },
        pricing: { kind: 'free', description: 'Free.' },
        evidence: ['/kites'],
        limitations: [],
      },
    ],
    'subsites/kites.yaml': subsite('kites', {
      capabilities: true,
      facts: ['Kites fly.'],
      guide: [{ title: 'Step', text: 'Hold the line.' }],
      infoTools: [
        {
          name: 'get_kites',
          title: 'Kites',
          description: 'Lists kites.',
          shows: 'catalog',
          of: ['kites'],
        },
      ],
      actions: [
        {
          verb: 'book_kite',
          title: 'Book',
          description: 'Books a kite.',
          respondWithinHours: 4,
          retentionDays: 30,
          effect: {
            kind: 'hold',
            catalog: 'kites',
            itemField: 'kite',
            fromField: 'from',
            toField: 'to',
            hours: 2,
          },
          fields: {
            kite: { type: 'enum', required: true, enum: ['delta', 'box'], example: 'box' },
            from: { type: 'date', required: true, example: '2027-01-01' },
            to: { type: 'date', required: true, notBefore: 'from', example: '2027-01-02' },
          },
        },
      ],
    }),
    'subsites/lines.yaml': subsite('lines', {
      leadEndpoint: '/api/lines/ask',
      jsonEndpoints: ['/api/lines/public'],
      snapshots: [{ path: '/api/lines/public', title: 'Lines', description: 'Lines.', data: {} }],
    }),
    'catalog/kites.yaml': {
      title: 'Kites',
      noun: 'kite',
      route: '/kites/[id]',
      schemaType: 'Product',
      items: [
        { id: 'delta', title: 'Delta', summary: 'A delta.' },
        { id: 'box', title: 'Box', summary: 'A box.' },
      ],
    },
    'pages/kites/terms.md': {
      title: 'Terms',
      description: 'Terms.',
      updated: '2026-01-02',
      body: 'Return it [dry](/kites).',
    },
  };
}

/** Files of a sample registry. */
export function toSources(files: Record<string, EditableRecord>): Source[] {
  return Object.entries(files).map(([file, data]) => {
    const { body, ...frontMatter } = data;
    return {
      file: `registry/${file}`,
      text: file.endsWith('.md')
        ? `---\n${stringify(frontMatter)}---\n${body}\n`
        : file.endsWith('.json')
          ? JSON.stringify(data)
          : stringify(data),
    };
  });
}
