import type { Action } from '../registry/action.ts';
import type { Subsite } from '../registry/subsite.ts';
import { phoneOf } from './phone.ts';
import { actionOf, findSubsite, type Registry } from './registry.ts';

/**
 * The records of a request, which may no longer be in the registry, and the name and phone number
 * of its provider.
 */
export function findServiceOf(
  registry: Registry,
  request: { subsite: string; action: string | null },
): { subsite: Subsite | undefined; action: Action | undefined; provider: string; phone: string } {
  const subsite = findSubsite(registry, request.subsite);
  return {
    subsite,
    action: actionOf(registry, request),
    provider: subsite?.title ?? request.subsite,
    phone: phoneOf(subsite, registry),
  };
}
