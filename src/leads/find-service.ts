import { memberOf } from '../site/json-object.ts';
import { countCodePoints } from '../fields/text-length.ts';
import type { Action } from '../registry/schemas/action.ts';
import type { Subsite } from '../registry/schemas/subsite.ts';
import { defineOperation, queryParameter } from '../operation/operation.ts';
import { jsonSchemaOf } from '../operation/json-schema.ts';
import { Problem } from '../operation/problem.ts';
import { countQuestion } from '../operation/question-budget.ts';
import { searchForNeed } from '../search/knowledge.ts';
import type { Findings } from '../search/find-need.ts';
import { selectNotice } from '../search/not-offered.ts';
import { MAX_CHARACTERS } from '../search/question.ts';
import { serviceDetailsOf } from '../search/services.ts';
import {
  describeArea,
  describeTerm,
  groupEntriesBySubsite,
  orderActions,
} from '../search/services-to-ask.ts';
import { createEmergencyNotice } from '../site/emergency.ts';
import { toDateInTimeZone } from '../site/calendar/days.ts';
import { listRequirements } from '../site/forms/requirements.ts';
import { createAvailableDaysUrl } from '../site/hold-action.ts';
import { answerTimeOf } from '../site/service-of-request.ts';
import { digestContract } from '../site/contract.ts';
import { describeOpeningNow, formatHours } from '../site/calendar/opening-hours.ts';
import { EMAIL_ENDPOINT, findSubsite, listOfferedActions } from '../site/registry.ts';
import type { Site } from '../site/site.ts';
import { createCompactBodySchema, createCompactCaptureSchema } from './submit/lead-channels.ts';
import { type Answer, findingsSchema, type FoundService } from './findings-schema.ts';

const MAX_ITEMS = 3;

/**
 * Maximum response size in bytes. Schemas that do not fit are omitted; the manifest lists the
 * fields.
 */
export const MAX_BYTES = 6000;

const FOLLOW_UP_TEXT =
  'Send an Idempotency-Key header of 16 to 255 characters, such as a UUID, so that a retry creates no second request. To wait for a change, get statusUrl with ?wait=60 and the last ETag as If-None-Match.';

function createFullAction(
  subsite: Subsite,
  action: Action,
  base: string,
): FoundService['actions'][number] {
  const requirements = listRequirements(action);
  const freeDaysUrl = createAvailableDaysUrl(subsite, action, base);
  return {
    verb: action.verb,
    title: action.title,
    description: action.description,
    ...answerTimeOf(action),
    contract: digestContract(subsite, action),
    ...(action.messageHint !== undefined && { messageHint: action.messageHint }),
    ...(requirements.length && { requirements }),
    ...(freeDaysUrl !== undefined && { freeDaysUrl }),
    body: createCompactBodySchema(subsite, action),
  };
}

type Entry = Findings['found'][number];

interface ListedService {
  subsite: Subsite;
  service: FoundService;
  actions: readonly Action[];
}

function createListedService(
  subsite: Subsite,
  { found, query }: { found: readonly Entry[]; query: string },
  { registry, base }: Site,
  now: Date,
): ListedService {
  const { name, title, purpose, status, url } = subsite;
  const { price, area, phone } = serviceDetailsOf(subsite);
  const actions = orderActions(subsite, found);
  const opening = describeOpeningNow(subsite, registry.network.timeZone, now);
  const emergency = createEmergencyNotice(subsite, registry);
  const areaNotice = describeArea(subsite, query, registry);
  const termNotice = describeTerm(subsite, query);
  const items = found
    .toSorted((one, other) => Number(one.isOver ?? false) - Number(other.isOver ?? false))
    .flatMap(({ item: id, title, path, price, isOver, kind }) =>
      id === undefined
        ? []
        : [
            {
              id,
              title,
              url: `${base}${path}`,
              ...(price && { price }),
              ...(isOver && { state: kind }),
            },
          ],
    )
    .slice(0, MAX_ITEMS);
  const service = {
    name,
    title,
    purpose,
    status,
    url: `${base}${url}`,
    manifest: `${base}/api/agent/${name}`,
    ...(price && { price }),
    ...(area && { area }),
    ...(areaNotice !== undefined && { areaNotice }),
    ...(termNotice !== undefined && { termNotice }),
    ...(opening !== undefined && { opening }),
    ...(phone && { phone }),
    ...(emergency !== undefined && { emergency }),
    ...(items.length && { items }),
    actions: actions.map((action) => ({ verb: action.verb, title: action.title })),
    ...(!actions.length && {
      submit: {
        method: 'POST' as const,
        url: `${base}${EMAIL_ENDPOINT}`,
        source: subsite.leadSource,
      },
    }),
  };
  return { subsite, service, actions };
}

/**
 * Adds body schemas to the services in a response, best match first, as long as the response fits
 * in {@link MAX_BYTES}. Adds none if the network does not offer the service.
 */
function withSchemas(
  answer: Answer,
  listedServices: readonly ListedService[],
  base: string,
): Answer {
  if (answer.notOffered !== undefined) return answer;
  const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
  let size = bytesOf(answer);
  /** The complete value, if it fits. */
  const completeIfFits = <Value>(summary: Value, complete: Value): Value => {
    const addedBytes = bytesOf(complete) - bytesOf(summary);
    if (size + addedBytes > MAX_BYTES) return summary;
    size += addedBytes;
    return complete;
  };
  const services = listedServices.map(({ subsite, service, actions }) => ({
    ...service,
    actions: actions.map((action, index) =>
      completeIfFits(service.actions[index]!, createFullAction(subsite, action, base)),
    ),
    ...(service.submit && {
      submit: completeIfFits(service.submit, {
        ...service.submit,
        body: createCompactCaptureSchema(subsite),
      }),
    }),
  }));
  return { ...answer, services };
}

function createAnswer(query: string, site: Site, now: Date): Answer {
  const { found, ...findings } = searchForNeed(site, query);
  const { registry, base } = site;
  const { timeZone, organization } = registry.network;
  const { phone, email, hours } = organization;
  const listedServices = groupEntriesBySubsite(found).map(([name, entries]) =>
    createListedService(findSubsite(registry, name)!, { found: entries, query }, site, now),
  );
  const services = listedServices.map(({ service }) => service);
  return withSchemas(
    {
      ...selectNotice(findings),
      services,
      ...(services.some(({ actions }) => actions.length) && {
        submit: { method: 'POST', url: `${base}/api/lead/action`, then: FOLLOW_UP_TEXT },
      }),
      timeZone,
      today: toDateInTimeZone(timeZone, now),
      ask: { phone, ...(hours && { hours: formatHours(hours) }), email },
    },
    listedServices,
    base,
  );
}

/** Finds services for a need in plain words, with the data for submitting their actions. */
export const findService = defineOperation<{ q: string }, Answer>({
  name: 'find-service',
  summary: 'Find a service for a need',
  description:
    'Takes a need in plain words and returns the matching services, best match first, with price, area, hours and manifest. The best actions include the JSON Schema of the body to submit; the manifest has the fields of the other actions. `notOffered` is present if the network does not offer the service, the search is not sure, or the query is about the network or an existing request; `notOfferedCode` says which. services then has the closest matches and those for other needs in the query, without schemas.',
  method: 'GET',
  path: '/api/find',
  problems: ['invalid_input', 'budget_exceeded'],
  query: ['q'],
  describe: (site) => ({
    parameters: [
      queryParameter('q', 'The need in plain words.', {
        required: true,
        schema: { type: 'string', minLength: 1, maxLength: MAX_CHARACTERS },
        example: findExampleNeed(site),
      }),
    ],
    response: jsonSchemaOf(findingsSchema),
    responseExample: createAnswer(findExampleNeed(site), site, new Date(site.generatedAt)),
  }),
  parse(value) {
    const q = memberOf(value, 'q');
    if (typeof q === 'string' && q.trim() && countCodePoints(q) <= MAX_CHARACTERS)
      return { q: q.trim() };
    const rule = `Send it once, with a need in plain words of at most ${MAX_CHARACTERS} characters, for example /api/find?q=rent+a+trailer.`;
    throw new Problem('invalid_input', `The query parameter q is not valid. ${rule}`, {
      errors: [{ pointer: '/q', message: rule, ...(q === undefined && { kind: 'missing' }) }],
    });
  },
  async handle({ q }, call, context) {
    await countQuestion(q, call, context);
    const { site, now } = context;
    return { output: createAnswer(q, site, now()), replayed: false };
  },
});

/** An example query with results: the title of the first subsite that has an action. */
const findExampleNeed = ({ registry }: Site): string =>
  registry.subsites.find((subsite) => listOfferedActions(subsite).length)?.title ??
  registry.network.name;
