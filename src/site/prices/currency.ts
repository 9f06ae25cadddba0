/** The currency of all prices and credits, ISO 4217. */
export const CURRENCY = 'USD';
