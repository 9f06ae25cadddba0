import { iconRule } from './components/icon-rule.ts';
import { capabilityInputRule } from './operations/capability-input-rule.ts';
import type { Rule } from './registry/index.ts';

/** Rules about records whose grounds stand in other rooms; whoever checks or builds a network hands them to the reading of its registry. */
export const serviceRules: readonly Rule[] = [iconRule, capabilityInputRule];
