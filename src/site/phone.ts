/** The link that dials a telephone number. */
export const dialLink = (phone: string): string => `tel:${phone.replaceAll(/[^+\d]/g, '')}`;
