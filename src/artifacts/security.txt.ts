import { addDaysToTime } from '../operation/time-arithmetic.ts';
import { defineDocument } from './artifact.ts';

/** RFC 9116 recommends an expiration date less than a year in the future. */
const VALIDITY_DAYS = 364;

/** `/.well-known/security.txt`, RFC 9116: where to report vulnerabilities. */
export const securityTxt = defineDocument({
  name: 'security-txt',
  description: 'Where to report vulnerabilities.',
  mediaType: 'text/plain; charset=utf-8',
  paths: ['/.well-known/security.txt'],
  operation: {
    id: 'readSecurityContact',
    tag: 'Crawling',
    summary: 'Where to report vulnerabilities',
  },
  render: ({ registry: { network }, base, generatedAt }) =>
    [
      `Contact: mailto:${network.security.contact}`,
      `Expires: ${addDaysToTime(new Date(generatedAt), VALIDITY_DAYS)}`,
      'Preferred-Languages: en',
      `Canonical: ${base}/.well-known/security.txt`,
      `Policy: ${base}${network.security.policy}`,
      '',
    ].join('\n'),
});
