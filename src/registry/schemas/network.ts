import { z } from 'zod';
import { phrasesByWords } from '../search-phrases.ts';
import { closedDays } from './closed-days.ts';
import { countAlternatives } from '../../site/words/expand-alternatives.ts';
import { itemStatus } from './catalog.ts';
import { HOURS_EXAMPLE, openingHours } from './opening-hours.ts';
import {
  calendarDate,
  createMaxLengthRule,
  integer,
  emailAddress,
  key,
  line,
  path,
  phoneNumber,
  prose,
  routePath,
  skillKey,
  zipPrefix,
} from './text.ts';
import { softwareLocale } from '../../language.ts';

const regionNames = new Intl.DisplayNames([softwareLocale], { type: 'region', fallback: 'none' });

/** Maximum number of phrases that one phrase with alternatives stands for. */
const MAX_ALTERNATIVES = 100;

/** Words or a phrase for a need, with alternatives as in “fix|repair sink” and gaps (…). */
const searchPhrasePattern = line(120)
  .refine(
    (phrase) => countAlternatives(phrase) <= MAX_ALTERNATIVES,
    `stands for more than ${MAX_ALTERNATIVES} phrases. Split it, or name fewer alternatives`,
  )
  .refine(
    (phrase) => !/(?:^|[ |])\||\|(?:$| )/.test(phrase),
    'has an empty alternative. Write words on both sides of |, without spaces',
  );

/** True if two letters are the code of an actual country, rather than a private-use code. */
const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) &&
  !/^(?:AA|Q[M-Z]|X[A-JL-Z]|ZZ|EU|EZ|UN)$/.test(code) &&
  regionNames.of(code) !== undefined;

/** The network: its operator, crawl policy and defaults. */
export const network = z
  .strictObject({
    name: line(60).describe('Network name.'),
    description: line(300).describe('What the network offers, in one or two sentences.'),
    tagline: line(80).describe('Heading of the front page.'),
    version: z
      .string()
      .max(...createMaxLengthRule(40))
      .regex(/^\d+\.\d+\.\d+$/, 'is not a version. Use three numbers, such as 2.0.0')
      .describe('Version of the interface, shown in the OpenAPI document and the agent card.'),
    namespace: z
      .string()
      .max(...createMaxLengthRule(100))
      .regex(
        /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/,
        'is not a reverse domain name. Use one such as com.example',
      )
      .describe('Reverse domain name with which MCP server names start.'),
    organization: z
      .strictObject({
        name: line(80).describe('Legal name of the operator.'),
        email: emailAddress.describe('Email address for questions.'),
        phone: phoneNumber.describe('Phone number.'),
        hours: openingHours
          .optional()
          .describe(`Weekly hours in which someone answers the phone, such as - ${HOURS_EXAMPLE}.`),
        locality: line(80).describe('Town.'),
        region: line(40).describe('State.'),
        country: z
          .string()
          .refine(
            isCountry,
            'is not a country code. Use two capital letters (ISO 3166-1), such as US',
          )
          .describe('ISO 3166-1 alpha-2 code.'),
      })
      .describe('The organization that operates the network.'),
    security: z
      .strictObject({
        contact: emailAddress.describe('Where to report vulnerabilities.'),
        policy: path.describe('Page with the disclosure policy.'),
      })
      .describe('Content of security.txt.'),
    crawl: z
      .strictObject({
        search: z.boolean().describe('True if pages may be indexed for search.'),
        aiInput: z.boolean().describe('True if pages may be used to answer questions.'),
        aiTrain: z.boolean().describe('True if pages may be used to train models.'),
        agents: z
          .array(line(60))
          .describe('Crawlers named in robots.txt; each group repeats every rule.'),
        disallow: z.array(path).describe('Paths that crawlers must not read.'),
      })
      .describe('Crawl policy.'),
    timeZone: z
      .string()
      .refine(
        (zone) => Intl.supportedValuesOf('timeZone').includes(zone) || zone === 'UTC',
        'is not a time zone. Use its IANA name, such as America/New_York',
      )
      .default('UTC')
      .describe('IANA time zone of calendar days, such as America/New_York; default UTC.'),
    closedDays: closedDays
      .default([])
      .describe(
        'Days on which every subsite with weekly hours is closed, such as public holidays; a subsite can add days or skip this list. Every year, update the dates that include a year, such as Thanksgiving.',
      ),
    agentArea: path.describe('Path of the agent services area.'),
    terms: path
      .optional()
      .describe('Page with the terms of use; default: the agent services area.'),
    leadNotice: line(300).describe(
      'Notice, shown on every receipt, that a receipt is not a confirmed booking or payment.',
    ),
    leadTerms: z
      .strictObject({
        respondWithinHours: integer(1, 720).describe(
          'Hours within which a plain lead is answered.',
        ),
        retentionDays: integer(1, 3650).describe(
          'Days from the last change to a plain lead until it is erased.',
        ),
      })
      .describe('Terms of a lead without an action.'),
    search: z
      .strictObject({
        places: z
          .array(line(60))
          .default([])
          .describe(
            'Place names that people add to a search, such as “Tampa”; results there rank higher, but other results are kept.',
          ),
        placeZips: z
          .record(z.string(), z.array(zipPrefix).min(1))
          .default({})
          .describe(
            'ZIP codes of places, or their first digits, by name, such as {Miami: ["331"]}: if a search names a place outside a service’s area, the results say so.',
          ),
        elsewhere: z
          .array(line(60))
          .default([])
          .describe(
            'States, countries and cities outside every service area. If one of these follows the name of a place, as in “Largo, Maryland”, a different place is meant; at the end of a text, it is itself the place.',
          ),
        synonyms: z
          .array(z.array(line(40)).min(2))
          .default([])
          .describe(
            'Groups of words and phrases that mean the same thing, such as [sofa, couch], in every language in which people search.',
          ),
        notOffered: z
          .array(
            z
              .strictObject({
                what: line(40).describe(
                  'Name of the service, as in “We don’t do …”, such as “plumbing”.',
                ),
                answer: line(240)
                  .optional()
                  .describe(
                    'Sentences to show instead of “We don’t do …”, such as how to cancel a request; `instead` then names the pages to read.',
                  ),
                spanish: line(240)
                  .optional()
                  .describe(
                    'Sentences in Spanish that follow `answer` if the question is in Spanish.',
                  ),
                references: z
                  .literal(true)
                  .optional()
                  .describe(
                    'true if a search for a request’s reference or receipt token gets this answer, too.',
                  ),
                warns: z
                  .literal(true)
                  .optional()
                  .describe(
                    'true if a request whose text has these words gets `answer` as its first warning, such as when a life is in danger.',
                  ),
                words: z
                  .array(searchPhrasePattern)
                  .min(1)
                  .describe(
                    'Words and phrases that people use to search for it, next to each other in any order; “fix|repair sink” stands for “fix sink” and “repair sink”. In a phrase with …, all words must occur in this order, and … stands for up to 4 words, as in “cancel my … visit”. A phrase that ends with a period, such as “contact us.”, must be the whole question, apart from words such as “please”.',
                  ),
                except: z
                  .array(searchPhrasePattern)
                  .min(1)
                  .optional()
                  .describe(
                    'Words and phrases of a different need, written as in `words`, such as “clean out” for house cleaning: a search with one of them is not for this service.',
                  ),
                instead: z
                  .array(key)
                  .min(1)
                  .optional()
                  .describe(
                    'Subsites that meet the same need in another way (such as a trailer instead of a truck), best first.',
                  ),
              })
              .refine(({ spanish, answer }) => spanish === undefined || answer !== undefined, {
                path: ['spanish'],
                error: 'is set without answer. Add answer, or remove spanish',
              })
              .refine(({ warns, answer }) => !warns || answer !== undefined, {
                path: ['warns'],
                error: 'is set without answer. Add answer, or remove warns',
              }),
          )
          .default([])
          .describe('Services that people look for here but that the network does not offer.'),
      })
      .default({ places: [], placeZips: {}, elsewhere: [], synonyms: [], notOffered: [] })
      .describe('Words that people use in searches and questions.'),
    skills: z
      .array(
        z.strictObject({
          name: skillKey.describe('Skill name.'),
          description: line(300).describe('When an agent should load the skill.'),
          questions: z
            .array(line(160))
            .min(2)
            .max(5)
            .describe('2 to 5 questions that the skill answers.'),
          body: prose.describe(
            'The Markdown in SKILL.md; {base} is replaced by the service’s origin.',
          ),
          dynamic: z
            .boolean()
            .optional()
            .describe('true if the skill needs the server; a purely static deployment omits it.'),
        }),
      )
      .describe('Agent skills published under /.well-known/agent-skills.'),
  })
  .describe('The network.');

/** routes.yaml: the routes that the capability catalog lists, and their audiences. */
export const routes = z
  .array(
    z.strictObject({
      path: routePath.describe('A route; segments in brackets are parameters.'),
      audience: z.enum(['machine', 'public', 'supporting']).describe('Audience of the route.'),
    }),
  )
  .describe('The routes that /api/v1/capabilities lists as publicRoutes. Pages need no entry.');

/** links.yaml: curated short links under /go. */
export const links = z
  .array(
    z.strictObject({
      slug: key.describe('Last segment of /go/{slug}.'),
      target: z.string().min(1).describe('Site-relative path, with a query or fragment if needed.'),
      title: line(100).describe('Title of the target.'),
    }),
  )
  .describe('Curated short links.');

/** Tools that a page may show. */
const pageTools = ['missed-call-calculator', 'audit'] as const;

/** The front matter of a Markdown page in registry/pages; the file's path is the page's path. */
export const page = z
  .strictObject({
    title: line(100).describe('Page title.'),
    description: line(200).describe('One sentence for search results and agents.'),
    updated: calendarDate.describe('Date of the last change.'),
    items: z
      .strictObject({
        catalog: key.describe('Subsite whose items are listed.'),
        status: itemStatus.optional().describe('List only items in this state.'),
        tag: key.optional().describe('List only items with this tag.'),
      })
      .optional()
      .describe('The items listed below the text.'),
    tool: z
      .enum(pageTools)
      .optional()
      .describe(
        'Tool shown below the introduction. An audit takes its questions from the page’s first numbered list, with ten points for each yes, and interprets the score with a table on the page that has rows such as “| 0 to 40 | Callers give up. |”.',
      ),
    asked: phrasesByWords.optional(),
  })
  .describe('Front matter of a page.')
  .transform(({ asked: _, ...frontMatter }) => frontMatter);

export type Network = z.infer<typeof network>;
export type Route = z.infer<typeof routes>[number];
export type Link = z.infer<typeof links>[number];
export type Page = z.infer<typeof page> & { path: string; body: string };
