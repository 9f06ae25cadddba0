import type { StreetAddress } from '../../registry/schemas/subsite.ts';

/** Formats a street address on one line, such as “2455 Bayline Way, St. Petersburg, FL 33713”. */
export const formatAddress = ({ street, town, state, zip }: StreetAddress): string =>
  `${street}, ${town}, ${state} ${zip}`;
