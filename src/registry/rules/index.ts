import { addressRules } from './addresses.ts';
import { searchPhraseRules } from './search-phrases.ts';
import { auditRules } from './audits.ts';
import { claimRules } from './claims.ts';
import { exampleRules } from './examples.ts';
import { holdRules } from './holds.ts';
import { identityRules } from './identity.ts';
import { imageRules } from './images.ts';
import { itemRules } from './items.ts';
import { priceRules } from './prices.ts';
import { referenceRules } from './references.ts';
import { routeRules } from './routes.ts';
import type { Rule } from './rule.ts';

/** Every rule across records; `npm run check` always runs all of them. */
export const rules: readonly Rule[] = [
  ...identityRules,
  ...addressRules,
  ...referenceRules,
  ...holdRules,
  ...exampleRules,
  ...searchPhraseRules,
  ...routeRules,
  ...itemRules,
  ...priceRules,
  ...imageRules,
  ...claimRules,
  ...auditRules,
];
