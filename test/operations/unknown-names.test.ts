import { describe, expect, it } from 'vitest';
import { captureLead } from '../../src/leads/submit/capture-lead.ts';
import { createShareLink } from '../../src/links/create-share-link.ts';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { Problem } from '../../src/operation/problem.ts';
import { submitAction } from '../../src/leads/submit/submit-action.ts';
import { checkCapabilityInput } from '../../src/capabilities/capability-request.ts';
import { parseWithFaults } from '../../src/operation/validate.ts';
import {
  allowAlso,
  createUnknownNameFault,
  summarizeUnknownNames,
  MAX_UNKNOWN_NAMES,
} from '../../src/operation/unknown-names.ts';
import { capabilitiesOf } from '../../src/site/capability-record.ts';
import { listActions } from './setup/actions.ts';
import { openFixture, sites } from './setup/fixture.ts';

/** As many unknown names as fit in a request body. */
const NAME_COUNT = 7_000;
const unknownNames = Object.fromEntries(
  Array.from({ length: NAME_COUNT }, (_, index) => [`x${index}`, 1]),
);

describe.each(sites)('unknown names in input to $name', async ({ site }) => {
  const { context } = await openFixture(site);
  const catchErrors = (parse: () => unknown) => {
    try {
      parse();
    } catch (thrown) {
      if (thrown instanceof Problem) return thrown.errors!;
    }
    throw new Error('The input was accepted.');
  };
  const expectFewErrors = (
    errors: readonly { pointer: string; message: string }[],
    place: string,
  ) => {
    expect(errors.filter(({ pointer }) => pointer.startsWith(`${place}/x`)).length).toBe(
      MAX_UNKNOWN_NAMES,
    );
    expect(errors.length).toBeLessThan(MAX_UNKNOWN_NAMES + 10);
    expect(errors.find(({ pointer }) => pointer === place)?.message).toBe(
      `${NAME_COUNT - MAX_UNKNOWN_NAMES} more names are unknown. Remove them.`,
    );
  };

  it.each(listActions(site))(
    'in the body, the fields, or the contact of $label are summarized in a few errors',
    ({ subsite, action }) => {
      const fields = exampleValuesOf(action.fields);
      const body = { subsite: subsite.name, action: action.verb, fields };
      expectFewErrors(
        catchErrors(() => submitAction.parse({ ...body, ...unknownNames }, context)),
        '',
      );
      expectFewErrors(
        catchErrors(() =>
          submitAction.parse({ ...body, fields: { ...fields, ...unknownNames } }, context),
        ),
        '/fields',
      );
      expectFewErrors(
        catchErrors(() => submitAction.parse({ ...body, contact: unknownNames }, context)),
        '/contact',
      );
      expectFewErrors(
        catchErrors(() =>
          captureLead.parse(
            {
              email: 'dana@example.com',
              source: subsite.leadSource,
              data: { action: action.verb, ...fields, ...unknownNames },
            },
            context,
          ),
        ),
        '/data',
      );
    },
  );

  it.each(listActions(site))(
    'that belong in the fields or the contact of $label are reported with their correct path',
    ({ subsite, action }) => {
      const fields = exampleValuesOf(action.fields);
      const [field] = Object.keys(fields).filter(
        (name) => !(name in { name: 0, email: 0, phone: 0 }),
      );
      const base = { subsite: subsite.name, action: action.verb };
      const messageAt = (place: string, errors: readonly { pointer: string; message: string }[]) =>
        errors.find(({ pointer }) => pointer === place)?.message;
      const bodyErrors = catchErrors(() =>
        submitAction.parse({ ...base, ...fields, mail: 1, email: 'dana@example.com' }, context),
      );
      expect(messageAt('/email', bodyErrors)).toBe(
        'This name is unknown. Move it to /contact/email.',
      );
      expect(messageAt('/mail', bodyErrors)).not.toContain('Move');
      if (field !== undefined)
        expect(messageAt(`/${field}`, bodyErrors)).toBe(
          `This name is unknown. Move it to /fields/${field}.`,
        );
      if (!Object.hasOwn(action.fields, 'phone'))
        expect(
          messageAt(
            '/fields/phone',
            catchErrors(() =>
              submitAction.parse(
                { ...base, fields: { ...fields, phone: '+17275550142' } },
                context,
              ),
            ),
          ),
        ).toBe('This name is unknown. Move it to /contact/phone.');
    },
  );

  it('of a share link are summarized in a few errors', () => {
    expectFewErrors(
      catchErrors(() =>
        createShareLink.parse(
          { subsite: site.registry.subsites[0]!.name, ...unknownNames },
          context,
        ),
      ),
      '',
    );
  });

  it.each(capabilitiesOf(site.registry, site.base))(
    'in the input of $id are summarized in a few errors',
    (capability) => {
      expectFewErrors(
        checkCapabilityInput(capability, unknownNames, site.registry).errors,
        '/input',
      );
    },
  );
});

it('only the first few unknown names are listed', () => {
  expect(summarizeUnknownNames('', MAX_UNKNOWN_NAMES)).toEqual([]);
  expect(summarizeUnknownNames('/a', MAX_UNKNOWN_NAMES + 1)).toHaveLength(1);
});

it('an unknown parameter does not hide that the target is gone', () => {
  const goneProblem = new Problem('gone', 'This request was erased.');
  const unknownParameter = { pointer: '/x', message: 'It is not a parameter.' };
  expect(() =>
    parseWithFaults([unknownParameter], () => {
      throw goneProblem;
    }),
  ).toThrow(goneProblem);
});

it('an error for an unknown and one for a misplaced name list the same other names', () => {
  const names = ['subsite', 'fields'];
  const errors = ['zip', 'zzyzx'].map((name) =>
    createUnknownNameFault(`/${name}`, name, names, { '/fields': ['zip'] }),
  );
  for (const { allowed } of allowAlso(errors, 'idempotencyKey'))
    expect(allowed).toEqual([...names, 'idempotencyKey']);
});
