import { memoize } from '../site/memoize.ts';
import type { Site } from '../site/site.ts';
import { removedLink } from '../text/index.ts';

const createPrivateLinkPattern = memoize(
  ({ base }: Site) =>
    new RegExp(
      String.raw`(?<!\S)\S*${RegExp.escape(new URL(base).host)}/(?:answer|receipt|api/lead)/[\w-]\S*`,
      // Browsers accept any case in the host.
      'gi',
    ),
);

/**
 * Removes links to receipts and answers: anyone who has one can act for its owner. People paste
 * such links along with the email that they reply to.
 */
export const removePrivateLinks = (text: string, site: Site): string =>
  text.replace(createPrivateLinkPattern(site), removedLink);
