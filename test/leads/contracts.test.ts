import { TaskState } from '@a2a-js/sdk';
import { beforeAll, describe, expect, it } from 'vitest';
import { listDocuments } from '../../src/artifacts/index.ts';
import { runCapability } from '../../src/capabilities/run-capability.ts';
import { storeContracts } from '../../src/leads/submit/contracts.ts';
import type { Context } from '../../src/operation/context.ts';
import { formatChange } from '../../src/registry/compare/change.ts';
import { compareContracts } from '../../src/registry/compare/compare-contract.ts';
import { compareRegistries } from '../../src/registry/compare/compare.ts';
import type { Action } from '../../src/registry/schemas/action.ts';
import { capabilitiesOf } from '../../src/site/capability-record.ts';
import type { Subsite } from '../../src/registry/schemas/subsite.ts';
import { digestContract, contractOf } from '../../src/site/contract.ts';
import { type Registry, SHARED_LEAD_ENDPOINTS } from '../../src/site/registry.ts';
import type { Site } from '../../src/site/site.ts';
import { createBindingClient, dataIn, message, taskOf } from '../a2a/setup/endpoint.ts';
import { makeKey, performOperation } from '../capabilities/fixture.ts';
import { listSubmissions } from '../mcp/setup/examples.ts';
import { problemOf } from '../operations/setup/refusal.ts';
import { openFixture, sites, type Fixture } from '../operations/setup/fixture.ts';
import { openMcpEndpoints } from '../transports/setup/mcp.ts';
import { client } from '../transports/setup/send.ts';

type Json = Record<string, any>;

/** Digests by action name. */
type Digests = Record<string, string>;

const digestsOf = ({ registry }: Site): Digests =>
  Object.fromEntries(
    registry.subsites.flatMap((subsite) =>
      subsite.actions.map((action) => [
        `${subsite.name}.${action.verb}`,
        digestContract(subsite, action),
      ]),
    ),
  );

/** Digests in the published records of subsites. */
const digestsIn = (records: readonly Json[]): Digests =>
  Object.fromEntries(
    records.flatMap(({ name, actions }) =>
      actions.map((action: Json) => [`${name}.${action['verb']}`, action['contract']]),
    ),
  );

describe.each(sites)('the contracts of $name', ({ site }) => {
  const expected = digestsOf(site);
  const published = new Map(listDocuments(site).map(({ path, body }) => [path, body]));
  const json = (path: string): Json => JSON.parse(String(published.get(path))) as Json;
  const names = site.registry.subsites.map(({ name }) => name);

  it('have one digest per action', () => {
    const digests = Object.values(expected);
    for (const digest of digests) expect(digest).toMatch(/^sha-256:[0-9a-f]{64}$/);
    expect(new Set(digests).size).toBe(digests.length);
  });

  it('are the same in the index and in every manifest with and without data, and appear nowhere else', () => {
    expect(digestsIn(json('/api/agent-index')['subsites'] as Json[])).toEqual(expected);
    for (const suffix of ['', '.data'])
      expect(digestsIn(names.map((name) => json(`/api/agent/${name}${suffix}`)))).toEqual(expected);
  });

  it('are listed in the catalog for action capabilities only', () => {
    const offered: readonly Json[] = json('/api/v1/capabilities')['capabilities'];
    const actionCapabilities = offered.filter(({ action }) => action !== undefined);
    expect(actionCapabilities.length).toBeGreaterThan(0);
    for (const { subsite, action, contract } of actionCapabilities)
      expect(contract).toBe(expected[`${subsite}.${action}`]);
    for (const capability of offered)
      expect(capability['contract'] !== undefined).toBe(capability['action'] !== undefined);
  });

  it('are in the OpenAPI document, in the body schema of each action and of its dedicated endpoint', () => {
    const { components, paths } = json('/api/openapi.json') as Json;
    const found = Object.fromEntries(
      Object.entries<Json>(components.schemas).flatMap(([name, schema]) =>
        schema['x-contract'] === undefined ? [] : [[name, schema['x-contract'] as string]],
      ),
    );
    expect(found).toEqual(expected);
    for (const { name, leadEndpoint, actions } of site.registry.subsites)
      if (!SHARED_LEAD_ENDPOINTS.includes(leadEndpoint) && actions[0])
        expect(
          paths[leadEndpoint].post.requestBody.content['application/json'].schema['x-contract'],
        ).toBe(expected[`${name}.${actions[0].verb}`]);
  });

  it('are tags only on agent card skills for a single action', () => {
    const { skills } = json('/.well-known/agent-card.json') as { skills: Json[] };
    for (const { id, tags } of skills) {
      const { actions } = site.registry.subsites.find(({ name }) => name === id)!;
      expect(tags.filter((tag: string) => tag.startsWith('contract:'))).toEqual(
        actions.length === 1 ? [`contract:${expected[`${id}.${actions[0]!.verb}`]}`] : [],
      );
    }
  });

  it('are in every MCP description of an action', async () => {
    const { context } = await openFixture(site);
    const { call } = await openMcpEndpoints(context);
    const subsiteResults = await Promise.all(
      names.map(async (name) => (await call('/api/mcp', 'get_subsite_info', { name })).value),
    );
    const records = subsiteResults.map((value) => value['subsite'] ?? value) as Json[];
    expect(digestsIn(records)).toEqual(expected);
    for (const { id, contract } of capabilitiesOf(site.registry, site.base)) {
      const { value } = await call('/api/v1/mcp', 'get_capability', { id });
      expect((value['capability'] as Json)['contract']).toBe(contract);
    }
  });
});

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const trailerSubsite = site.registry.subsites.find(({ name }) => name === 'trailer')!;

/** The site with one edited subsite. */
const createEditedSite = (
  change: (subsite: Subsite, action: Action) => void,
  editedSubsite = trailerSubsite,
): Site => {
  const changed = structuredClone(editedSubsite) as Subsite;
  change(changed, changed.actions[0]!);
  const { subsites } = site.registry;
  return {
    ...site,
    registry: {
      ...site.registry,
      subsites: subsites.map((subsite) => (subsite === editedSubsite ? changed : subsite)),
    },
  };
};
const find = ({ registry }: { registry: Registry }, editedSubsite = trailerSubsite) => {
  const subsite = registry.subsites.find(({ name }) => name === editedSubsite.name)!;
  const [action] = subsite.actions as [Action];
  return { contract: contractOf(subsite, action), digest: digestContract(subsite, action) };
};

/** Edits to terms that callers rely on. */
const contractEdits: Readonly<Record<string, (subsite: Subsite, action: Action) => void>> = {
  endpoint: (subsite) => void (subsite.leadEndpoint = '/api/trailer/book'),
  'a field': (_, { fields }) => void (fields['colour'] = { type: 'string', required: false }),
  'a field type': (_, { fields }) => void (fields['zip']!.type = 'string'),
  'a required flag': (_, { fields }) => void (fields['zip']!.required = false),
  'a choice': (_, { fields }) => void fields['size']!.enum!.push('8x20'),
  'a limit': (_, { fields }) => void (fields['return_date']!.notBefore = undefined!),
  'a price': ({ pricing }) => void (pricing![0]!.amount += 5),
  'an additional price': ({ pricing }) =>
    void pricing!.push({ unit: 'per mile', amount: 1, currency: 'USD' }),
  'the hours of a hold': (_, { effect }) => void Object.assign(effect!, { hours: 7 }),
  'days ahead': (_, { effect }) => void Object.assign(effect!, { furthestDays: 7 }),
  'the response time': (_, action) => void (action.respondWithinHours += 1),
  retention: (_, action) => void (action.retentionDays += 1),
  'the input of the capability': (_, action) =>
    void (action.capability = { fields: { colour: { type: 'string', required: true } } }),
};

/** Edits that do not affect callers. */
const otherEdits: Readonly<Record<string, (subsite: Subsite, action: Action) => void>> = {
  description: (_, action) => void (action.description += ' Today.'),
  title: (_, action) => void (action.title += '!'),
  'the text of a field': (_, { fields }) =>
    void Object.assign(fields['zip']!, { description: 'Z', label: 'Z', hint: 'Z', example: '1' }),
  facts: (subsite) => void (subsite.facts = ['Another fact.']),
  purpose: (subsite) => void (subsite.purpose += ' Now.'),
};

describe('a contract', () => {
  it.each(Object.entries(contractEdits))(
    'changes with %s, and --diff reports the same change',
    (_, edit) => {
      const editedSite = createEditedSite(edit);
      expect(find(editedSite).digest).not.toBe(find(site).digest);
      const sentences = compareContracts(find(site).contract, find(editedSite).contract);
      expect(sentences.length).toBeGreaterThan(0);
      const allChanges = compareRegistries(site.registry, editedSite.registry).map(formatChange);
      expect(sentences.filter((sentence) => !allChanges.includes(sentence))).toEqual([]);
    },
  );

  it.each(Object.entries(otherEdits))('does not change with %s', (_, edit) => {
    expect(find(createEditedSite(edit)).digest).toBe(find(site).digest);
  });
});

describe('a request with a contract', () => {
  const changedSite = createEditedSite(({ pricing }, action) => {
    pricing![0]!.amount = 99;
    action.fields['zip']!.required = false;
  });
  const { unit, amount, currency } = trailerSubsite.pricing![0]!;
  const verb = trailerSubsite.actions[0]!.verb;
  const changes = [
    `trailer.${verb}: zip became optional`,
    `trailer: the price for “${unit}” changed from ${amount} ${currency} to 99 ${currency}`,
  ];
  const oldDigest = find(site).digest;
  const newDigest = find(changedSite).digest;
  const refused = {
    status: 412,
    code: 'contract_changed',
    detail: expect.stringContaining(newDigest),
    changes,
  };
  const request = listSubmissions(site).find(
    ({ subsite }) => subsite === trailerSubsite,
  )!.arguments;
  let fixture: Fixture;
  /** The same service after a release with different records. */
  let laterFixture: Fixture;
  const channels = () => client(laterFixture);
  const createContextFor = (other: Site): Context => ({ ...fixture.context, site: other });
  beforeAll(async () => {
    fixture = await openFixture(site);
    await storeContracts(fixture.context);
    laterFixture = { ...fixture, context: createContextFor(changedSite) };
    await storeContracts(laterFixture.context);
    await storeContracts(laterFixture.context);
  });
  const leads = async () => (await fixture.rows('leads')).length;
  const answer = async (response: Response): Promise<Json & { status: number }> => ({
    ...((await response.json()) as Json),
    status: response.status,
  });
  const postAction = async (body: object, headers: Record<string, string> = {}) =>
    answer(await channels().json('/api/lead/action', body, { headers }));

  it('is accepted if the contract is current, in the body, in If-Match, or omitted', async () => {
    const fields = { ...(request['fields'] as Json) };
    const createRequestOnDay = (day: number) => ({
      ...request,
      fields: {
        ...fields,
        pickup_date: `2026-12-${10 + day}`,
        return_date: `2026-12-${10 + day}`,
      },
      sandbox: true,
    });
    expect(await postAction({ ...createRequestOnDay(1), contract: newDigest })).toMatchObject({
      status: 200,
    });
    for (const header of [`"${newDigest}"`, `"sha-256:other", "${newDigest}"`, '*'])
      expect(await postAction(createRequestOnDay(1), { 'if-match': header })).toMatchObject({
        status: 200,
      });
    expect(await postAction(createRequestOnDay(1))).toMatchObject({ status: 200 });
  });

  it('is refused with the list of changes, and nothing is stored', async () => {
    const leadsBefore = await leads();
    for (const extra of [{}, { sandbox: true }])
      expect(await postAction({ ...request, ...extra, contract: oldDigest })).toMatchObject(
        refused,
      );
    expect(await postAction(request, { 'if-match': `"${oldDigest}"` })).toMatchObject(refused);
    expect(await postAction(request, { 'if-match': `W/"${newDigest}"` })).toMatchObject({
      status: 412,
    });
    expect(
      await postAction({ ...request, contract: newDigest }, { 'if-match': `"${oldDigest}"` }),
    ).toMatchObject(refused);
    expect(await leads()).toBe(leadsBefore);
  });

  it('reports the change over form, MCP, task, and A2A channels, and A2A then accepts the corrected request', async () => {
    const form = await channels().form('/api/lead/action', {
      subsite: 'trailer',
      action: verb,
      contract: oldDigest,
      ...Object.fromEntries(
        Object.entries(request['fields'] as Json).map(([name, value]) => [
          `fields.${name}`,
          String(value),
        ]),
      ),
      'contact.email': 'dana@example.com',
    });
    expect(form.status).toBe(412);

    const { call } = await openMcpEndpoints(laterFixture.context);
    const { isError, value } = await call('/api/mcp', 'submit_action', {
      ...request,
      contract: oldDigest,
    });
    expect([isError, value]).toEqual([true, expect.objectContaining(refused)]);

    const key = await makeKey(laterFixture as never);
    const { fields, contact } = request;
    const problem = await problemOf(() =>
      performOperation(
        runCapability,
        { capability: `trailer.${verb}`, input: { fields, contact }, contract: oldDigest },
        key,
        laterFixture as never,
      ),
    );
    expect(problem.details(site.base)).toMatchObject(refused);

    const a2a = await createBindingClient(laterFixture.context, 'JSONRPC');
    const waiting = taskOf(
      await a2a.sendMessage(message({ data: { ...request, sandbox: true, contract: oldDigest } })),
    );
    expect(waiting.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(dataIn(waiting.status?.message?.parts)).toMatchObject(refused);
    const completedTask = taskOf(
      await a2a.sendMessage(
        message(
          { data: { ...request, sandbox: true, contract: newDigest } },
          { taskId: waiting.id },
        ),
      ),
    );
    expect(completedTask.artifacts).toHaveLength(1);
  });

  it('gets its first response again even if the contract has changed since then', async () => {
    const headers = { 'idempotency-key': 'a-request-under-two-contracts' };
    const body = { ...request, contract: oldDigest };
    const first = await answer(await client(fixture).json('/api/lead/action', body, { headers }));
    expect(first).toMatchObject({ status: 200 });
    const leadsBefore = await leads();
    for (const repeatedBody of [body, { ...request, contract: newDigest }, request])
      expect(await postAction(repeatedBody, headers)).toEqual(first);
    expect(await leads()).toBe(leadsBefore);
  });

  it('may be repeated under its key with the current contract', async () => {
    const headers = { 'idempotency-key': 'a-request-that-was-refused' };
    const source = trailerSubsite.leadSource;
    const washerDryer = listSubmissions(site).find(({ subsite }) => subsite.name === 'wd')!;
    expect(
      await postAction({ ...washerDryer.arguments, source, contract: oldDigest }, headers),
    ).toMatchObject({
      status: 412,
    });
    const digest = digestContract(washerDryer.subsite, washerDryer.action);
    expect(
      await postAction({ ...washerDryer.arguments, source, contract: digest }, headers),
    ).toMatchObject({
      status: 200,
    });
  });

  it('reports an invalid or unknown contract, and a contract of another action', async () => {
    const washerDryer = listSubmissions(site).find(({ subsite }) => subsite.name === 'wd')!;
    expect(await postAction({ ...washerDryer.arguments, contract: oldDigest })).toMatchObject({
      status: 412,
      detail: expect.stringContaining(
        `The submitted contract belongs to trailer.${verb}. The contract of ${washerDryer.action.verb} is now `,
      ),
      changes: [`The submitted contract belongs to trailer.${verb}.`],
    });
    expect(await postAction({ ...request, contract: `sha-256:${'0'.repeat(64)}` })).toMatchObject({
      status: 412,
      detail: expect.stringMatching(
        /^This service does not recognize the submitted contract\. The contract of /,
      ),
      contract: newDigest,
      manifest: `${site.base}/api/agent/trailer`,
    });
    expect(
      await postAction({ ...request, contract: `sha-256:${'0'.repeat(64)}` }),
    ).not.toHaveProperty('changes');
    const wdDigest = digestContract(washerDryer.subsite, washerDryer.action);
    expect(
      await postAction(request, {
        'if-match': `"sha-256:${'0'.repeat(64)}", "${wdDigest}", "${oldDigest}"`,
      }),
    ).toMatchObject({
      status: 412,
      detail: expect.stringMatching(/^The action .* has changed since its contract was read\./),
      changes: (await postAction({ ...request, contract: oldDigest }))['changes'],
    });
    expect(await postAction({ ...request, contract: 'v1' })).toMatchObject({
      status: 400,
      errors: [{ pointer: '/contract' }],
    });
    expect(
      await answer(
        await channels().json('/api/email-capture', {
          email: 'dana@example.com',
          source: trailerSubsite.leadSource,
          contract: newDigest,
        }),
      ),
    ).toMatchObject({ status: 412, changes: [expect.stringContaining('names no action')] });
  });

  it('is recorded once, however often a release is served', async () => {
    const rows = await fixture.database.writer.$client.execute(
      'select digest, contract from contracts',
    );
    const digests = new Set([site, changedSite].flatMap((each) => Object.values(digestsOf(each))));
    expect(new Set(rows.rows.map((row) => row['digest']))).toEqual(digests);
    expect(rows.rows).toHaveLength(digests.size);
  });
});
