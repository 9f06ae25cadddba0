import * as v from 'valibot';
import { createMaxLengthCheck } from '../../fields/text-length.ts';
import { createJobProviderAdapter } from './job-provider-adapter.ts';

const nonNegativeNumber = v.pipe(v.number(), v.minValue(0));

/** Creates a narrated video through a provider; the price depends on the script. */
export const video = createJobProviderAdapter({
  name: 'video',
  timeoutMinutes: 120,
  pauseMs: 5000,
  pricedTextOf: ({ script }) => (typeof script === 'string' ? script : ''),
  result: v.object({
    url: v.pipe(v.string(), v.regex(/^https?:/), v.url(), createMaxLengthCheck(2048)),
    mediaType: v.pipe(v.string(), v.regex(/^video\/[a-z0-9.+-]+$/)),
    durationSeconds: nonNegativeNumber,
    width: v.optional(nonNegativeNumber),
    height: v.optional(nonNegativeNumber),
    bytes: v.optional(nonNegativeNumber),
    /** SHA-256 of the file, hexadecimal. */
    sha256: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))),
    /** Time when the provider deletes the file, ISO 8601. */
    expiresAt: v.optional(v.pipe(v.string(), v.isoTimestamp())),
  }),
});
