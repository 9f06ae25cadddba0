import type { Effect } from '../../registry/schemas/action.ts';
import type { EffectCall, EffectPlan, PlanEffect } from './effect.ts';
import { planHold } from './hold.ts';
import { planImport } from './import.ts';
import { planRoute } from './route.ts';
import { planStorefront } from './storefront.ts';

const effectPlanners: { [Kind in Effect['kind']]: PlanEffect<Kind> } = {
  route: planRoute,
  storefront: planStorefront,
  hold: planHold,
  import: planImport,
};

export const planEffect = (call: EffectCall): Promise<EffectPlan> =>
  (effectPlanners[call.effect.kind] as PlanEffect<Effect['kind']>)(call);
