import { describe, expect, it } from 'vitest';
import { problemCodes } from '../../src/site/problem-codes.ts';
import { specActions, specVerbs } from '../spec/actions.ts';
import { requiredFieldsById, specCapabilities } from '../spec/capabilities.ts';
import {
  accountOnlySubsites,
  endpoints,
  indexFields,
  leadEndpointsInUse,
  namedSubsites,
  recordFields,
  schemaTypesInUse,
  snapshotPaths,
  toolsInUse,
} from '../spec/network.ts';
import { specRoutes } from '../spec/routes.ts';
import { main } from './networks.ts';

const index = main.json('/api/agent-index');
const catalog = main.json('/api/v1/capabilities');
const records: any[] = index.subsites;
const sortUnique = (values: Iterable<string>) => [...new Set(values)].sort();

describe('the agent index of the main network', () => {
  it('has exactly the required parts', () => {
    expect(Object.keys(index).sort()).toEqual([...indexFields.top].sort());
    expect(Object.keys(index.discovery).sort()).toEqual([...indexFields.discovery].sort());
    expect(Object.keys(index.endpoints).sort()).toEqual(
      [...indexFields.endpoints, ...indexFields.addedEndpoints].sort(),
    );
    expect(index.endpoints.leads).toEqual(
      expect.arrayContaining(records.map(({ leadEndpoint }) => `${index.base}${leadEndpoint}`)),
    );
  });

  it('has exactly the named subsites', () => {
    expect(records.map((record) => record.name)).toEqual([...namedSubsites].sort());
  });

  it('has correct entry counts', () => {
    const authCount = records.filter((record) => record.status === 'auth').length;
    expect(index.stats).toEqual({
      total: records.length,
      auth: authCount,
      public: records.length - authCount,
    });
  });

  it('gives exactly the account-only subsites the status auth', () => {
    expect(
      records.filter((record) => record.status === 'auth').map((record) => record.name),
    ).toEqual(accountOnlySubsites);
  });

  it('gives every record all required fields and no unknown fields', () => {
    const { required, optional, added } = recordFields;
    const knownFields = [...required, ...optional, ...added];
    for (const record of records) {
      expect(
        recordFields.required.filter((field) => !(field in record)),
        record.name,
      ).toEqual([]);
      expect(
        Object.keys(record).filter((field) => !knownFields.includes(field)),
        record.name,
      ).toEqual([]);
    }
  });

  it('uses exactly the specified schema types, lead endpoints, tools and snapshots', () => {
    expect(sortUnique(records.map((record) => record.schemaType))).toEqual(schemaTypesInUse);
    expect(sortUnique(records.map((record) => record.leadEndpoint))).toEqual(leadEndpointsInUse);
    expect(sortUnique(records.flatMap((record) => record.mcpTools))).toEqual(toolsInUse);
    expect(sortUnique(records.flatMap((record) => record.jsonEndpoints))).toEqual(snapshotPaths);
  });

  it('has 32 verbs with exactly the specified fields, kinds, values and required flags', () => {
    const published = Object.fromEntries(
      records.flatMap((record) =>
        record.actions.map((action: any) => [
          `${record.name}.${action.verb}`,
          Object.fromEntries(
            Object.entries<any>(action.fields).map(([name, { type, required, enum: values }]) => [
              name,
              { type, required, ...(values && { enum: values }) },
            ]),
          ),
        ]),
      ),
    );
    expect(published).toEqual(specActions);
    expect(specVerbs).toHaveLength(32);
  });

  it('has a result example only for route-me, and the example is a receipt', () => {
    const actionsWithExample = records
      .flatMap((record) => record.actions)
      .filter((action) => action.resultExample !== undefined);
    expect(actionsWithExample.map((action) => action.verb)).toEqual(['route-me']);
    expect(JSON.parse(actionsWithExample[0].resultExample)).toMatchObject({
      receiptToken: expect.any(String),
      status: 'new',
      statusUrl: expect.stringMatching(/^https?:\/\/.*\/api\/lead\/.+$/),
    });
  });

  it('sends each subsite’s leads to its required endpoint', () => {
    const emailCaptureSubsites = ['blog', 'food', 'agents', 'scan', 'video', 'leads'];
    for (const { name, leadEndpoint, actions } of records) {
      const dedicatedEndpoints: Record<string, string> = {
        cleanouts: '/api/cleanouts/quote',
        realestateanimated: '/api/realestateanimated/invite',
      };
      expect(leadEndpoint, name).toBe(
        dedicatedEndpoints[name] ??
          (actions.length && !emailCaptureSubsites.includes(name)
            ? '/api/lead/action'
            : '/api/email-capture'),
      );
    }
  });
});

describe('the capability document of the main network', () => {
  const capabilities = new Map<string, any>(
    catalog.capabilities.map((capability: any) => [capability.id, capability]),
  );

  it('has exactly the 57 capabilities', () => {
    expect([...capabilities.keys()].sort()).toEqual(Object.keys(specCapabilities).sort());
    expect(catalog.capabilities).toHaveLength(57);
  });

  it.each(Object.entries(specCapabilities))(
    '%s has its mode, adapter, price, and page',
    (id, { mode, adapter, pricing, route, subsite, action }) => {
      const capability = capabilities.get(id);
      expect(capability).toMatchObject({
        version: '1',
        mode,
        adapter,
        authentication: 'bearer',
        pricing: { kind: pricing },
      });
      if (route) expect(capability.route).toBe(route);
      expect(capability.subsite).toBe(subsite);
      expect(capability.action).toBe(action);
    },
  );

  it.each(Object.entries(specCapabilities).filter(([, { fields }]) => fields))(
    '%s accepts a contact and exactly its fields',
    (id, { fields = {} }) => {
      const { inputSchema } = capabilities.get(id);
      expect(inputSchema.required.toSorted()).toEqual(['contact', 'fields']);
      expect(Object.keys(inputSchema.properties.contact.properties).sort()).toEqual([
        'email',
        'name',
        'phone',
      ]);
      expect(inputSchema.properties.contact.required).toBeUndefined();
      const { properties, required = [] } = inputSchema.properties.fields;
      expect(Object.keys(properties).sort()).toEqual(Object.keys(fields).sort());
      expect(required.toSorted()).toEqual(
        Object.keys(fields)
          .filter((name) => fields[name]!.required)
          .sort(),
      );
      if (requiredFieldsById[id]) expect(required.toSorted()).toEqual(requiredFieldsById[id]);
      for (const [name, { type, enum: values }] of Object.entries(fields)) {
        expect(['number', 'integer'].includes(properties[name].type), `${name} is a number`).toBe(
          type === 'number',
        );
        expect(properties[name].enum, `${name} values`).toEqual(values);
        expect(properties[name].format === 'date', `${name} is a date`).toBe(type === 'date');
      }
    },
  );

  it('accepts a question of at most 4,000 characters for help and guides', () => {
    for (const [id, { adapter }] of Object.entries(specCapabilities)) {
      if (adapter !== 'facts' && adapter !== 'recipe') continue;
      const { properties, required } = capabilities.get(id).inputSchema;
      expect(Object.keys(properties), id).toEqual(['question']);
      expect(properties.question, id).toMatchObject({ type: 'string', maxLength: 4000 });
      expect(required, id).toBeUndefined();
    }
  });

  it('limits the inputs of research, assist and video to the specified sizes', () => {
    const research = capabilities.get('company.research').inputSchema;
    expect(research.required).toEqual(['question']);
    expect(research.properties).toMatchObject({
      question: { type: 'string', maxLength: 4000 },
      sources: { type: 'array', maxItems: 5, items: { type: 'string', format: 'uri' } },
    });
    const assist = capabilities.get('company.assist').inputSchema;
    expect(assist.required).toEqual(['question']);
    expect(Object.keys(assist.properties)).toEqual(['question']);
    expect(assist.properties.question).toMatchObject({ type: 'string', maxLength: 4000 });
    const video = capabilities.get('animate.create_video').inputSchema;
    expect(video.required).toEqual(['script']);
    expect(Object.keys(video.properties).sort()).toEqual([
      'features',
      'script',
      'styleId',
      'title',
    ]);
    expect(video.properties).toMatchObject({
      script: { minLength: 40, maxLength: 200_000 },
      title: { maxLength: 200 },
      features: {
        properties: { motionMode: { enum: ['draft', 'full'] }, aspect: { enum: ['16:9', '9:16'] } },
      },
    });
  });

  it('states the required limits', () => {
    for (const [id, { adapter }] of Object.entries(specCapabilities)) {
      const limitationText = capabilities.get(id).limitations.join(' ');
      if (adapter === 'facts' || adapter === 'recipe') {
        expect(limitationText, id).toMatch(
          /Published prices are not a booking or availability guarantee/,
        );
        expect(limitationText, id).toMatch(/Physical services need provider confirmation/i);
      }
      if (adapter === 'inquiry')
        expect(capabilities.get(id).pricing.description, id).toMatch(
          /provider confirmation and a separate quote are required/i,
        );
    }
    expect(capabilities.get('company.assist').limitations.join(' ')).toMatch(/unmet demand/);
    const video = [
      ...capabilities.get('animate.create_video').limitations,
      capabilities.get('animate.create_video').pricing.description,
    ].join(' ');
    for (const limit of [
      /style/,
      /prepaid credits/,
      /checked at execution/,
      /not charged/,
      /compute cost/i,
      /operations fee/,
      /accepted maximum/,
      /durable receipt/,
    ])
      expect(video).toMatch(limit);
  });

  it('lists exactly the public routes, each with its audience', () => {
    const expected = Object.entries(specRoutes).flatMap(([audience, paths]) =>
      paths.map((path) => `${audience} ${path}`),
    );
    expect(
      catalog.publicRoutes.map(({ audience, path }: any) => `${audience} ${path}`).sort(),
    ).toEqual(expected.sort());
  });

  it('names every required endpoint', () => {
    expect(catalog).toMatchObject({
      version: '1',
      dynamicAvailable: true,
      documentation: '/services/agent',
      quoteEndpoint: '/api/v1/quotes',
      taskEndpoint: '/api/v1/tasks',
      mcpEndpoint: '/api/v1/agent-mcp',
    });
    expect(catalog.authentication).toMatch(
      /explicitly scoped bearer key.*configured in the agent services area/,
    );
  });
});

describe('the pages of the main network', () => {
  it.each([...specRoutes.public, ...specRoutes.supporting])('include one for %s', (route) => {
    const pattern = new RegExp(`^${route.replaceAll(/\[\w+\]/g, '[^/]+')}$`);
    expect(
      main.pages.filter((page) => pattern.test(page.path)).map((page) => page.title),
    ).not.toEqual([]);
  });

  it('include one for each capability and each problem code, the API reference and the guides', () => {
    const paths = main.pages.map((page) => page.path);
    const guides = ['callbacks', 'connect', 'providers', 'sandbox', 'verify'];
    expect(paths.filter((path) => path.startsWith('/services/agent/')).sort()).toEqual(
      ['api', ...guides, ...Object.keys(specCapabilities)]
        .map((name) => `/services/agent/${name}`)
        .sort(),
    );
    expect(paths.filter((path) => path.startsWith('/problems/')).sort()).toEqual(
      Object.keys(problemCodes)
        .map((code) => `/problems/${code}`)
        .sort(),
    );
    expect(new Set(paths).size).toBe(paths.length);
  });
});

describe('the OpenAPI document of the main network', () => {
  it.each(endpoints)('lists %s %s with its statuses', (method, path, statuses) => {
    const { paths } = main.json('/api/openapi.json');
    expect(Object.keys(paths[path]?.[method]?.responses ?? {})).toEqual(
      expect.arrayContaining([...statuses]),
    );
  });

  it('has version 2.0.0 and uses OpenAPI 3.1.0', () => {
    expect(main.json('/api/openapi.json')).toMatchObject({
      openapi: '3.1.0',
      info: { version: '2.0.0' },
    });
  });
});
