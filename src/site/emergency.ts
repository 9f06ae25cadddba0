import type { Action } from '../registry/action.ts';

/** Whether a request is an emergency, by the choice that its record names for this. */
export const isEmergency = (
  action: Action | undefined,
  fields: Readonly<Record<string, unknown>>,
): boolean =>
  Object.entries(action?.fields ?? {}).some(
    ([name, { emergency }]) => emergency !== undefined && fields[name] === emergency,
  );
