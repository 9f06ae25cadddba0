import type { CapabilityRecord } from '../../site/capability-record.ts';
import type { Adapter } from './adapter.ts';
import { assist } from './assist.ts';
import { inquiry } from './inquiry.ts';
import { facts, recipe } from './published-answer.ts';
import { research } from './research.ts';
import { video } from './video.ts';

export const adapters: Readonly<Record<CapabilityRecord['adapter'], Adapter>> = {
  facts,
  inquiry,
  recipe,
  research,
  assist,
  video,
};
