import { iconRule } from '../components/icons/icon-rule.ts';
import { capabilityInputRule } from '../capabilities/capability-input-rule.ts';
import type { Rule } from '../registry/rules/rule.ts';
import { pastDaysRule } from './past-days.ts';

/** Rules that depend on other modules or the time, for the check and the build. */
export const serviceRules: readonly Rule[] = [iconRule, capabilityInputRule, pastDaysRule];
