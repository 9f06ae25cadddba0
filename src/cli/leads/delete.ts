import { deleteQuestions } from '../../leads/lists/list-demand.ts';
import { deleteStorefront, nameStorefront } from '../../leads/storefronts/manage-storefront.ts';
import { deleteShareLink } from '../../links/delete-share-link.ts';
import { formatQuantity } from '../../site/words/quantity.ts';
import type { CommandLine } from '../command-line.ts';
import { type Printer, withExamples } from '../output.ts';
import { withContext } from '../with-context.ts';

/** Commands for public content: share links, storefronts, questions. */
export function addDeleteCommands(program: CommandLine, print: Printer): void {
  withExamples(program.command('delete-link'), 'npm run leads -- delete-link k7TqWmP4')
    .description('deletes a share link and its title and data; its URL then responds with 404')
    .argument('<token>', 'the last part of its URL')
    .action((token: string) =>
      withContext(async (context) => {
        await deleteShareLink(token, context);
        print([`Deleted: /s/${token}`], { deleted: token });
      }),
    );

  withExamples(
    program.command('delete-storefront'),
    'npm run leads -- delete-storefront harbor-books-k7wp',
  )
    .description('deletes the content of a storefront; its URL responds with 410')
    .argument('<slug>', 'the last part of its URL')
    .action((slug: string) =>
      withContext(async (context) => {
        await deleteStorefront(slug, context);
        print([`Deleted: /biz/${slug}`], { deleted: slug });
      }),
    );

  withExamples(
    program.command('name-storefront'),
    'npm run leads -- name-storefront harbor-books-k7wp',
  )
    .description(
      'gives a storefront whose request was acknowledged a second URL with only the business name',
    )
    .argument('<slug>', 'the last part of its URL')
    .action((slug: string) =>
      withContext(async (context) => {
        const bareSlug = await nameStorefront(slug, context);
        print([`/biz/${slug} is now also at /biz/${bareSlug}.`], { slug: bareSlug });
      }),
    );

  withExamples(
    program.command('delete-question'),
    `npm run leads -- delete-question 'groom poodle'`,
  )
    .description('deletes the unanswered questions about a topic from the demand list')
    .argument('<topic>', 'the words of the topic')
    .action((topic: string) =>
      withContext(async (context) => {
        const count = await deleteQuestions(topic, context);
        print([`Deleted: ${formatQuantity(count, 'question')}.`], { deleted: count });
      }),
    );
}
