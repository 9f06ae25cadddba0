import type { Subsite } from '../../registry/schemas/subsite.ts';
import { SHARED_LEAD_ENDPOINTS } from '../registry.ts';
import { actionInputs, captureInputs, type LeadInputs } from './form-inputs.ts';

const [CAPTURE_ENDPOINT] = SHARED_LEAD_ENDPOINTS;

/** The inputs of a subsite’s form for an action or, without an action, for a plain lead. */
export const leadInputsOf = (
  { leadEndpoint }: Pick<Subsite, 'leadEndpoint'>,
  hasAction: boolean,
): LeadInputs => (hasAction && leadEndpoint !== CAPTURE_ENDPOINT ? actionInputs : captureInputs);
