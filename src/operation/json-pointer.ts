/** The JSON Pointer (RFC 6901) with these reference tokens. */
export const formatPointer = (...steps: readonly (string | number)[]): string =>
  steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** The reference tokens of a JSON Pointer (RFC 6901). */
export const parsePointer = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The JSON Pointer to the object that contains a member. */
export const parentOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf('/'));
