import { join } from 'node:path';
import type { AstroPrerenderer } from 'astro';
import type { EarlyPacking } from './pack-early.ts';
import { freeLargeHeap } from './free-memory.ts';
import { COMPRESSIBLE_TYPE_PATTERN } from './write-arena.ts';

/** Renders as Astro does, and packs each file after Astro writes it to `clientDir`. */
export function createPackingPrerenderer(
  basePrerenderer: AstroPrerenderer,
  earlyPacking: EarlyPacking,
  clientDir: string,
): AstroPrerenderer {
  return {
    ...basePrerenderer,
    async setup() {
      await basePrerenderer.setup?.();
      // Frees modules left over from bundling.
      freeLargeHeap();
    },
    async render(request, options) {
      const result = await basePrerenderer.render(request, options);
      const { ok, body, headers } = result instanceof Response ? result : result.response;
      // The request URL matches the file's URL.
      if (ok && body)
        await earlyPacking.add({
          file: join(clientDir, decodeURI(new URL(request.url).pathname)),
          compressible: COMPRESSIBLE_TYPE_PATTERN.test(headers.get('content-type') ?? ''),
        });
      return result;
    },
  };
}
