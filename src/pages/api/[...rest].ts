import type { APIRoute } from 'astro';
import { operations } from '../../operations/index.ts';
import { unknownAddress } from '../../server/problem-answer.ts';
import { answerWith } from '../_mount.ts';

export const prerender = false;

/** Addresses under /api that records define, such as a subsite’s own lead endpoint, and every address that nothing answers. */
export const ALL: APIRoute = (context) => {
  const { url, locals } = context;
  const operation = operations(locals.context.site).find(({ path }) => path === url.pathname);
  return operation ? answerWith(operation, context) : locals.answerFault(unknownAddress(url.pathname));
};
