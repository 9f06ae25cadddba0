import { describe, expect, it } from 'vitest';
import { captureLead } from '../../src/leads/submit/capture-lead.ts';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { listOperations } from '../../src/http/operations.ts';
import { submitAction } from '../../src/leads/submit/submit-action.ts';
import { SHARED_LEAD_ENDPOINTS } from '../../src/site/registry.ts';
import { errorsOf } from './setup/refusal.ts';
import { listSingleFieldFaults, listActions } from './setup/actions.ts';
import { openFixture, sites } from './setup/fixture.ts';

const call = { channel: 'json' } as const;

describe.each(sites)('the actions of $name', async ({ site }) => {
  const { context, rows } = await openFixture(site);
  const verbs = listActions(site);

  it.each(verbs)(
    '$label accepts its example, directly and through email capture, and both create the same lead',
    async ({ subsite, action }) => {
      const fields = exampleValuesOf(action.fields);
      const input = submitAction.parse(
        {
          subsite: subsite.name,
          action: action.verb,
          fields,
          contact: { email: 'dana@example.com', name: 'Dana' },
        },
        context,
      );
      const capturedLead = captureLead.parse(
        {
          email: 'dana@example.com',
          name: 'Dana',
          source: subsite.leadSource,
          data: { action: action.verb, ...fields },
        },
        context,
      );
      expect(capturedLead).toEqual(input);
      const { output, replayed } = await submitAction.handle(input, call, context);
      expect(replayed).toBe(false);
      expect(output).toMatchObject({
        subsite: subsite.name,
        action: action.verb,
        status: 'new',
        // A warning, such as that nobody answers today, follows.
        notice: expect.stringContaining(
          {
            subscription: 'on the list',
            question: 'does not buy, book or reserve anything',
            none: site.registry.network.leadNotice,
          }[action.purpose ?? 'none'],
        ),
      });
      const [lead] = (await rows('leads')).filter((row) => row['token'] === output.receiptToken);
      expect(JSON.parse(lead!['fields'])).toEqual(input.fields);
    },
  );

  it.each(verbs)('$label reports any single error at its field', async ({ subsite, action }) => {
    for (const { description, fields, pointer } of listSingleFieldFaults(action)) {
      const errors = await errorsOf(() =>
        submitAction.parse({ subsite: subsite.name, action: action.verb, fields }, context),
      );
      expect(Object.keys(errors), description).toEqual([`/fields${pointer}`]);
      const capturedLead = await errorsOf(() =>
        captureLead.parse(
          {
            email: 'dana@example.com',
            source: subsite.leadSource,
            data: { action: action.verb, ...fields },
          },
          context,
        ),
      );
      expect(Object.keys(capturedLead), description).toEqual([`/data${pointer}`]);
    }
  });

  it.each(verbs)(
    '$label lists every missing field at once, with the values of an enum',
    async ({ subsite, action }) => {
      const requiredFields = Object.entries(action.fields).filter(([, field]) => field.required);
      if (!requiredFields.length) {
        expect(
          submitAction.parse({ subsite: subsite.name, action: action.verb }, context).fields,
        ).toEqual(
          submitAction.parse({ subsite: subsite.name, action: action.verb, fields: {} }, context)
            .fields,
        );
        return;
      }
      const errors = await errorsOf(() =>
        submitAction.parse({ subsite: subsite.name, action: action.verb }, context),
      );
      expect(Object.keys(errors).sort()).toEqual(
        requiredFields.map(([name]) => `/fields/${name}`).sort(),
      );
      for (const [name, field] of requiredFields)
        if (field.enum) expect(errors[`/fields/${name}`]!.allowed).toEqual(field.enum);
    },
  );

  it('have a route for each dedicated lead endpoint, and for no other', () => {
    const dedicatedEndpoints = site.registry.subsites
      .map((subsite) => subsite.leadEndpoint)
      .filter((path) => !SHARED_LEAD_ENDPOINTS.includes(path));
    const postOperations = listOperations(site).filter(
      ({ method, path }) =>
        method === 'POST' && path.startsWith('/api/') && !path.startsWith('/api/v1/'),
    );
    expect(postOperations.map(({ path }) => path).sort()).toEqual(
      [
        ...dedicatedEndpoints,
        ...SHARED_LEAD_ENDPOINTS,
        '/api/share',
        '/api/lead/{receipt}/messages',
      ].sort(),
    );
  });

  it('accept every operation’s sample request, each with a unique name', () => {
    const allOperations = listOperations(site);
    expect(new Set(allOperations.map(({ name }) => name)).size).toBe(allOperations.length);
    for (const operation of allOperations.filter(({ requiresKey: bearer }) => !bearer)) {
      const { requestExamples = {}, parameters } = operation.describe(site);
      const pathParams = Object.fromEntries(
        parameters.flatMap((parameter) =>
          parameter.in === 'path' ? [[parameter.name, parameter.example]] : [],
        ),
      );
      for (const { value } of Object.values(requestExamples))
        expect(
          () => operation.parse({ ...(value as object), ...pathParams }, context),
          operation.name,
        ).not.toThrow();
    }
  });
});

describe('a dedicated lead endpoint', () => {
  for (const { name, site } of sites)
    for (const subsite of site.registry.subsites.filter(
      ({ leadEndpoint }) => !SHARED_LEAD_ENDPOINTS.includes(leadEndpoint),
    )) {
      const channel = listOperations(site).find(({ path }) => path === subsite.leadEndpoint)!;
      const [action] = subsite.actions;

      it(`${subsite.leadEndpoint} of ${name} always creates leads for its own subsite and action`, async () => {
        const { context } = await openFixture(site);
        if (action) {
          const body = {
            fields: exampleValuesOf(action.fields),
            contact: { email: 'dana@example.com' },
          };
          const actionBody = { subsite: subsite.name, action: action.verb, ...body };
          expect(channel.parse(body, context)).toEqual(submitAction.parse(actionBody, context));
          expect(channel.parse(actionBody, context)).toEqual(
            submitAction.parse(actionBody, context),
          );
          const otherSubsite = site.registry.subsites.find((candidate) => candidate !== subsite)!;
          expect(
            Object.keys(
              await errorsOf(() =>
                channel.parse(
                  { ...actionBody, subsite: otherSubsite.name, action: 'other' },
                  context,
                ),
              ),
            ).sort(),
          ).toEqual(['/action', '/subsite']);
        } else {
          const body = { email: 'dana@example.com', name: 'Dana', data: { note: 'x' } };
          expect(channel.parse(body, context)).toEqual(
            captureLead.parse({ ...body, source: subsite.leadSource }, context),
          );
          expect(
            Object.keys(await errorsOf(() => channel.parse({ ...body, source: 'other' }, context))),
          ).toEqual(['/source']);
        }
      });
    }
});
