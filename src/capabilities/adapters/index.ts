import type { CapabilityRecord } from '../../site/capability-record.ts';
import type { Adapter } from './adapter.ts';
import { assist } from './assist.ts';
import { facts } from './facts.ts';
import { inquiry } from './inquiry.ts';
import { recipe } from './recipe.ts';
import { research } from './research.ts';
import { video } from './video.ts';

/** What runs a capability, by the adapter that it names. */
export const adapters: Readonly<Record<CapabilityRecord['adapter'], Adapter>> = {
  facts,
  inquiry,
  recipe,
  research,
  assist,
  video,
};
