import { defineMiddleware } from 'astro:middleware';

/** Names the route for the log, and answers what an endpoint threw. Prerendering is left alone: a fault ends the build. */
export const onRequest = defineMiddleware(async ({ isPrerendered, locals, routePattern }, next) => {
  if (isPrerendered) return next();
  locals.route = routePattern;
  try {
    return await next();
  } catch (thrown) {
    return locals.answerFault(thrown);
  }
});
