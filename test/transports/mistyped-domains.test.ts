import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listCheckedEmails } from '../../src/components/forms/names.ts';
import { exampleValuesOf, kindOf } from '../../src/fields/fields.ts';
import { submitAction } from '../../src/leads/submit/submit-action.ts';
import { captureLead } from '../../src/leads/submit/capture-lead.ts';
import { findMistypedDomain } from '../../src/leads/submit/mistyped-domain.ts';
import { CHECKED_EMAIL_INPUT, KEY_INPUT } from '../../src/site/forms/form-inputs.ts';
import { SHARED_LEAD_ENDPOINTS } from '../../src/site/registry.ts';
import { editDistance, isWithinOneEdit } from '../../src/site/corrections/similar-names.ts';
import { createPropertyParameters } from '../setup/seeds.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { listActions } from '../operations/setup/actions.ts';
import { client, inputsOf } from './setup/send.ts';

const [CAPTURE_PATH, ACTION_PATH] = SHARED_LEAD_ENDPOINTS as [string, string];

const MISTYPED_DOMAINS = {
  'gmial.com': 'gmail.com',
  'gamil.com': 'gmail.com',
  'gmal.com': 'gmail.com',
  'gmail.con': 'gmail.com',
  'gmail.co': 'gmail.com',
  'GMAIL.CMO': 'gmail.com',
  'gmai.con': 'gmail.com',
  'yaho.com': 'yahoo.com',
  'yahooo.com': 'yahoo.com',
  'hotmial.com': 'hotmail.com',
  'outlok.com': 'outlook.com',
  'iclod.com': 'icloud.com',
  'aol.con': 'aol.com',
  'msn.cmo': 'msn.com',
  'live.con': 'live.com',
  'comcast.ner': 'comcast.net',
  'protonmial.com': 'protonmail.com',
};

const PLAUSIBLE_DOMAINS = [
  ...new Set(Object.values(MISTYPED_DOMAINS)),
  'mail.com',
  'email.com',
  'ymail.com',
  'gmx.com',
  'gmx.net',
  'me.com',
  'mac.com',
  'aim.com',
  'cloud.com',
  'wahoo.com',
  'olive.com',
  'love.com',
  'ao.com',
  'att.net',
  'cox.net',
  'foxmail.com',
  'googlemail.com',
  'hey.com',
  'proton.me',
  'pm.me',
  'protonmail.ch',
  'yahoo.ca',
  'yahoo.de',
  'yahoo.co.uk',
  'hotmail.fr',
  'outlook.de',
  'live.ca',
  'comcast.com',
  'verizon.com',
  'example.com',
  'reyes.example',
];

describe('an email domain', () => {
  it.each(Object.entries(MISTYPED_DOMAINS))(
    '%s looks like a mistyped %s',
    (domain, intendedDomain) => {
      expect(findMistypedDomain(`dana@${domain}`)).toEqual({
        domain: domain.toLowerCase(),
        intendedDomain,
      });
    },
  );

  it.each(PLAUSIBLE_DOMAINS)('%s is plausible', (domain) => {
    expect(findMistypedDomain(`dana@${domain}`)).toBeUndefined();
  });
});

describe.each(sites)('a mistyped email address at $name', async ({ site }) => {
  const fixture = await openFixture(site);
  const { json, form, faults } = client(fixture);
  const verbs = listActions(site);
  const { subsite, action } = verbs.find((verb) => !verb.action.effect)!;
  const MISTYPED_EMAIL = 'dana.unmistakable@gmial.com';
  const CORRECTED_EMAIL = 'dana.unmistakable@gmail.com';
  const fields = exampleValuesOf(action.fields);
  const actionWithEmailField = verbs.find((verb) =>
    Object.values(verb.action.fields).some((field) => kindOf(field).contactMethod === 'email'),
  );

  /** A form for each location of an email address, with the name of its input. */
  const forms: [path: string, input: string, body: (email: string) => object][] = [
    [
      ACTION_PATH,
      'contact.email',
      (email) => ({ subsite: subsite.name, action: action.verb, fields, contact: { email } }),
    ],
    [CAPTURE_PATH, 'email', (email) => ({ source: subsite.leadSource, email })],
    [
      CAPTURE_PATH,
      'email',
      (email) => ({
        source: subsite.leadSource,
        email,
        data: { action: action.verb, ...fields },
      }),
    ],
    ...(actionWithEmailField
      ? Object.entries(actionWithEmailField.action.fields)
          .filter(([, field]) => kindOf(field).contactMethod === 'email')
          .map(([name]): [string, string, (email: string) => object] => [
            ACTION_PATH,
            `fields.${name}`,
            (email) => ({
              subsite: actionWithEmailField.subsite.name,
              action: actionWithEmailField.action.verb,
              fields: { ...exampleValuesOf(actionWithEmailField.action.fields), [name]: email },
            }),
          ])
      : []),
  ];

  it.each(forms)('is refused once by a form at %s in %s', async (path, input, body) => {
    const inputs = { ...inputsOf(body(MISTYPED_EMAIL)), [KEY_INPUT]: randomUUID() };
    const countLeads = async () => (await fixture.rows('leads')).length;
    const countBefore = await countLeads();
    const refused = await form(path, inputs);
    expect(refused.status).toBe(400);
    const fault = faults.at(-1)!;
    expect(fault.errors.map(({ pointer, instruction }) => [pointer, instruction])).toEqual([
      [
        `/${input.replace('.', '/')}`,
        `Did you mean ${CORRECTED_EMAIL}? Correct the address, or send it again if it is right.`,
      ],
    ]);
    expect(fault.errors[0]!.message).not.toContain('unmistakable');
    expect(await countLeads()).toBe(countBefore);
    const hiddenInputs = listCheckedEmails(fault).map((email) => [CHECKED_EMAIL_INPUT, email]);
    expect(hiddenInputs).toEqual([[CHECKED_EMAIL_INPUT, MISTYPED_EMAIL]]);

    const sendAgain = (email: string) =>
      form(path, [
        ...Object.entries({ ...inputs, [input]: email }),
        ...(hiddenInputs as [string, string][]),
      ]);
    expect((await sendAgain('dana.unmistakable@yaho.com')).status).toBe(400);
    expect(listCheckedEmails(faults.at(-1))).toEqual([
      MISTYPED_EMAIL,
      'dana.unmistakable@yaho.com',
    ]);
    expect((await sendAgain(MISTYPED_EMAIL)).status).toBe(303);
    expect(await countLeads()).toBe(countBefore + 1);
  });

  it('is accepted by every channel for programs, and the notice says how to correct it', async () => {
    const advice =
      'The email domain gmial.com looks mistyped; you probably meant gmail.com. If so, erase this request (DELETE statusUrl) and submit it again with the correct address and a new idempotency key.';
    for (const channel of ['json', 'mcp', 'a2a', 'task'] as const)
      for (const [operation, body] of [
        [submitAction, forms[0]![2]],
        [captureLead, forms[1]![2]],
      ] as const) {
        const { context } = fixture;
        const notice = async (email: string, more: object = {}) =>
          (
            await operation.handle(
              operation.parse({ ...body(email), ...more }, context, channel),
              { channel },
              context,
            )
          ).output.notice;
        expect(await notice(MISTYPED_EMAIL)).toContain(advice);
        expect(await notice(MISTYPED_EMAIL)).not.toContain('unmistakable');
        expect(await notice(MISTYPED_EMAIL, { sandbox: true })).toMatch(
          /you probably meant gmail\.com\. If/,
        );
        expect(await notice(CORRECTED_EMAIL)).not.toContain('mistyped');
      }
    expect((await json(ACTION_PATH, forms[0]![2](MISTYPED_EMAIL))).status).toBe(200);
  });
});

it('counts at most one edit exactly where the edit distance is at most one', () => {
  const words = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 });
  fc.assert(
    fc.property(words, words, (a, b) => {
      expect(isWithinOneEdit(a, b)).toBe(editDistance(a, b) <= 1);
    }),
    createPropertyParameters(3_000),
  );
});
