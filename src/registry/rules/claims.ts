import { createViolationFactory } from './places.ts';
import type { Rule } from './rule.ts';

/** Matches domains that RFC 2606 reserves for examples; a business that uses one is fictional. */
const EXAMPLE_DOMAIN_PATTERN = /(?:\.|^|@)(?:example(?:\.(?:com|net|org))?|invalid|test)$/;

/**
 * Digits from the phone numbers that are reserved for fiction; real license numbers have no hyphen
 * at this position.
 */
const FICTIONAL_DIGITS = '555-01';

export const claimRules: Rule[] = [
  {
    name: 'account-access',
    description: 'A subsite explains how to get an account if and only if it requires one.',
    *check({ subsites }) {
      for (const { name, status, access } of subsites) {
        const fault = createViolationFactory(`subsites/${name}`, 'access');
        if (status === 'auth' && !access)
          yield fault('is missing, but status is auth. Explain who gets an account and how.');
        if (status === 'public' && access)
          yield fault('is present, but status is public. Remove it, or set status to auth.');
      }
    },
  },
  {
    name: 'credential-number',
    description: `A fictional network shows only license numbers that contain ${FICTIONAL_DIGITS}, because any other number could belong to a real business.`,
    *check({ subsites, network: { organization } }) {
      if (!organization || !EXAMPLE_DOMAIN_PATTERN.test(organization.email)) return;
      for (const { name, credentials = [] } of subsites)
        for (const [index, { number }] of credentials.entries())
          if (number !== undefined && !number.includes(FICTIONAL_DIGITS))
            yield {
              record: `subsites/${name}`,
              path: ['credentials', index, 'number'],
              problem: `could belong to a real business, but the email address of the organization is fictional. Write the real address, or include ${FICTIONAL_DIGITS} in the number, as in FL-555-0123.`,
            };
    },
  },
  {
    name: 'since-before-update',
    description: 'A business cannot have started after the year in which its record was updated.',
    *check({ subsites }) {
      for (const { name, since, updated } of subsites)
        if (since !== undefined && since > Number(updated.slice(0, 4)))
          yield {
            record: `subsites/${name}`,
            path: ['since'],
            problem: `is later than the year in updated. Use a year no later than ${updated.slice(0, 4)}.`,
          };
    },
  },
];
