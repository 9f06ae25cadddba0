/** Scope of the operator’s inbox, which no glob stands for. */
export const INBOX_SCOPE = 'inbox';

const INBOX_OF = `${INBOX_SCOPE}:`;

/** The subsite whose leads a scope such as `inbox:hvac` opens, which no glob stands for either; undefined for other scopes. */
export const inboxSubsiteOf = (scope: string): string | undefined =>
  scope.startsWith(INBOX_OF) ? scope.slice(INBOX_OF.length) : undefined;

/** Scope of callbacks about leads, which no glob stands for. */
export const CALLBACKS_SCOPE = 'callbacks';

/** Characters of a scope: those of capability ids, and the star. */
const SCOPE = /^[a-z0-9_.*-]{1,120}$/;

/** A glob as a pattern: a star stands for any characters, the dot included. */
const patternOf = (scope: string): RegExp =>
  new RegExp(
    `^${scope
      .split('*')
      .map((part) => part.replaceAll('.', '\\.'))
      .join('.*')}$`,
  );

/** Whether one of the scopes, ids or globs such as `guide.*` and `*.help`, allows the capability. */
export const allows = (scopes: readonly string[], capability: string): boolean =>
  scopes.some(
    (scope) => scope === capability || (scope.includes('*') && patternOf(scope).test(capability)),
  );

/** Whose leads somebody sees and answers: those of every subsite, or of these only. */
export type LeadReach = 'all' | readonly string[];

/** What the scopes of a key open of the inbox; undefined where they do not open it. */
export function inboxReachOf(scopes: readonly string[]): LeadReach | undefined {
  if (scopes.includes(INBOX_SCOPE)) return 'all';
  const subsites = scopes.map(inboxSubsiteOf).filter((subsite) => subsite !== undefined);
  return subsites.length ? subsites : undefined;
}

/** The scopes that stand for nothing there is, misspelt or out of date. */
export const uselessScopes = (
  scopes: readonly string[],
  { capabilities, subsites }: { capabilities: readonly string[]; subsites: readonly string[] },
): string[] =>
  scopes.filter((scope) => {
    const subsite = inboxSubsiteOf(scope);
    if (subsite !== undefined) return !subsites.includes(subsite);
    return (
      scope !== INBOX_SCOPE &&
      scope !== CALLBACKS_SCOPE &&
      (!SCOPE.test(scope) || !capabilities.some((capability) => allows([scope], capability)))
    );
  });
