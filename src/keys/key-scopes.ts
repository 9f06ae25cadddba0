/** Scope of the operator’s inbox, which no glob stands for. */
export const INBOX_SCOPE = 'inbox';

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

/** The scopes that match none of the capabilities, misspelt or out of date. */
export const uselessScopes = (
  scopes: readonly string[],
  capabilities: readonly string[],
): string[] =>
  scopes.filter(
    (scope) =>
      scope !== INBOX_SCOPE &&
      scope !== CALLBACKS_SCOPE &&
      (!SCOPE.test(scope) || !capabilities.some((capability) => allows([scope], capability))),
  );
