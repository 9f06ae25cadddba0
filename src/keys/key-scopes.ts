/** Scope for the operator's inbox, which no wildcard includes. */
export const INBOX_SCOPE = 'inbox';

const INBOX_PREFIX = `${INBOX_SCOPE}:`;

/**
 * The subsite of a scope such as `inbox:hvac`, which no wildcard includes either; undefined for
 * other scopes.
 */
export const inboxSubsiteOf = (scope: string): string | undefined =>
  scope.startsWith(INBOX_PREFIX) ? scope.slice(INBOX_PREFIX.length) : undefined;

/** Scope for callbacks about leads, which no wildcard includes. */
export const CALLBACKS_SCOPE = 'callbacks';

/** Characters allowed in a scope: the characters of capability IDs, and the asterisk. */
const SCOPE_PATTERN = /^[a-z0-9_.*-]{1,120}$/;

/** A glob as a regular expression: an asterisk matches any characters, including dots. */
const compileScopePattern = (scope: string): RegExp =>
  new RegExp(
    `^${scope
      .split('*')
      .map((part) => part.replaceAll('.', '\\.'))
      .join('.*')}$`,
  );

/**
 * Whether one of the scopes allows the capability. A scope is an ID or a glob such as `guide.*` or
 * `*.help`.
 */
export const allowsCapability = (scopes: readonly string[], capability: string): boolean =>
  scopes.some(
    (scope) =>
      scope === capability || (scope.includes('*') && compileScopePattern(scope).test(capability)),
  );

/** The subsites whose leads a viewer may see and answer: all, or the listed subsites. */
export type LeadAccess = 'all' | readonly string[];

/** The part of the inbox that a key's scopes give access to; undefined if none. */
export function inboxAccessOf(scopes: readonly string[]): LeadAccess | undefined {
  if (scopes.includes(INBOX_SCOPE)) return 'all';
  const subsites = scopes.map(inboxSubsiteOf).filter((subsite) => subsite !== undefined);
  return subsites.length ? subsites : undefined;
}

/** The scopes that match nothing, for example because they are misspelled. */
export const findUnmatchedScopes = (
  scopes: readonly string[],
  { capabilities, subsites }: { capabilities: readonly string[]; subsites: readonly string[] },
): string[] =>
  scopes.filter((scope) => {
    const subsite = inboxSubsiteOf(scope);
    if (subsite !== undefined) return !subsites.includes(subsite);
    return (
      scope !== INBOX_SCOPE &&
      scope !== CALLBACKS_SCOPE &&
      (!SCOPE_PATTERN.test(scope) ||
        !capabilities.some((capability) => allowsCapability([scope], capability)))
    );
  });
