import { isDayValue, isNeverPersonal } from '../fields/fields.ts';
import type { FieldValue } from '../fields/spec.ts';
import type { Action } from '../registry/action.ts';
import type { Subsite } from '../registry/subsite.ts';
import { actionInputs, captureInputs, CONTACT_ANCHOR } from './forms/form-inputs.ts';
import type { RequestedItem } from './forms/requested-item.ts';
import { formatHours, type ServiceHours } from './calendar/opening-hours.ts';
import { createAvailableDaysPath } from './hold-action.ts';
import { providerOf } from './service-of-request.ts';
import {
  listAlternatives,
  EMAIL_ENDPOINT,
  isSoldOrPast,
  itemsOf,
  listOfferedActions,
  type Registry,
} from './registry.ts';

/** How a request ended; `canceled` by the provider after the confirmation. */
const endings = ['declined', 'canceled', 'expired', 'withdrawn'] as const;
export type Ending = (typeof endings)[number];

/** The ending with the name of a state or an event; undefined if no ending has that name. */
export const endingOf = (name: string): Ending | undefined =>
  endings.find((ending) => ending === name);

/** What a person whose request has ended can do next: open a link, or call. */
export type NextStep =
  | {
      /** Key of the label in the text of the receipt. */
      label: 'again' | 'askAgain' | 'subscribeAgain' | 'elsewhere' | 'freeDays';
      service: string;
      /** Site-relative URL. */
      url: string;
    }
  | {
      label: 'call';
      /** Who answers the phone. */
      name: string;
      phone: string;
      /** When the phone is answered, as text; absent if that is not published. */
      hours?: string | undefined;
    };

interface RepeatableRequest {
  subsite: Subsite | undefined;
  /** The verb of the request; null for a plain request. */
  verb: string | null;
  action: Action | undefined;
  item: Pick<RequestedItem, 'id' | 'field' | 'path'> | undefined;
  /** Whether the service is open now; absent without hours. */
  isOpen?: boolean | undefined;
  /** Submitted values to enter again; a URL gets only those that cannot identify anyone. */
  fields?: readonly { name: string; value: FieldValue }[] | undefined;
  /** YYYY-MM-DD; days from today on are entered again. Without it, no days are. */
  today?: string | undefined;
}

/** A request's item, choices, numbers and coming days, by field, for a URL. */
const listRepeatedValues = ({
  action,
  item,
  fields = [],
  today,
}: RepeatableRequest): [string, string][] => [
  ...(item ? [[item.field, item.id] as [string, string]] : []),
  ...fields.flatMap(({ name, value }): [string, string][] => {
    const field = action?.fields[name];
    const isRepeated =
      field &&
      name !== item?.field &&
      value !== field.known &&
      isNeverPersonal(field, value) &&
      (!isDayValue(field, value) || (today !== undefined && value >= today));
    return isRepeated ? [[name, String(value)]] : [];
  }),
];

/**
 * Site-relative URL of the form for the same request, with its item and its choices; undefined
 * without a form.
 */
function buildFormUrl(registry: Registry, request: RepeatableRequest): string | undefined {
  const { subsite, verb, action, item } = request;
  if (!subsite) return undefined;
  if (verb === null) return subsite.contactForm && `${subsite.url}#${CONTACT_ANCHOR}`;
  if (!action || !listOfferedActions(subsite).includes(action)) return undefined;
  const record = itemsOf(registry, subsite.name).find(({ id }) => id === item?.id);
  if (record && isSoldOrPast(record)) return undefined;
  // The item's page has the form for the item.
  const isOnItemPage = item?.path !== undefined && action.fields[item.field]?.item;
  const inputs = subsite.leadEndpoint === EMAIL_ENDPOINT ? captureInputs : actionInputs;
  const query = new URLSearchParams(
    listRepeatedValues(request)
      .filter(([name]) => !isOnItemPage || name !== item.field)
      .map(([name, value]) => [`${inputs.fields}.${name}`, value]),
  );
  return `${isOnItemPage ? item.path : subsite.url}${query.size ? `?${query}` : ''}#${verb}`;
}

/** The form for the same request, to start again. */
function listRestartSteps(registry: Registry, request: RepeatableRequest): NextStep[] {
  const url = buildFormUrl(registry, request);
  if (url === undefined) return [];
  const { purpose } = request.action ?? {};
  const label =
    purpose === 'subscription' ? 'subscribeAgain' : purpose === 'question' ? 'askAgain' : 'again';
  return [{ label, service: request.subsite?.title ?? '', url }];
}

/** The alternatives in the subsite's record. */
const listAlternativeSteps = (registry: Registry, subsite: Subsite | undefined): NextStep[] =>
  listAlternatives(registry, subsite).map(({ title, url }) => ({
    label: 'elsewhere',
    service: title,
    url,
  }));

/** The available days of a rental. */
function listFreeDaysSteps(
  registry: Registry,
  { subsite, action, item }: RepeatableRequest,
): NextStep[] {
  if (!subsite || action?.effect?.kind !== 'hold') return [];
  const held = item?.id ?? itemsOf(registry, action.effect.catalog)[0]?.id;
  return held === undefined
    ? []
    : [
        {
          label: 'freeDays',
          service: subsite.title,
          url: createAvailableDaysPath(subsite.name, held),
        },
      ];
}

/**
 * How to get days other than those of a confirmed request: the available days, and a new request.
 */
export const listOtherDaysSteps = (registry: Registry, request: RepeatableRequest): NextStep[] => [
  ...listFreeDaysSteps(registry, request),
  ...listRestartSteps(registry, request),
];

/**
 * Where a person can ask if the provider ended the request: the alternatives in the subsite's
 * record or, if there are none, the available days of a rental and a phone number. A search would
 * not help: its best match is the very service that ended the request.
 */
function listFallbackSteps(
  registry: Registry,
  ending: Ending,
  request: RepeatableRequest,
): NextStep[] {
  const others = listAlternativeSteps(registry, request.subsite);
  if (others.length) return others;
  return [
    ...listFreeDaysSteps(registry, request),
    // The answer to a question is not a service that others could offer.
    ...(request.action?.purpose === 'question' ? [] : listCallSteps(registry, ending, request)),
  ];
}

const createCallStep = ({
  name,
  phone,
  hours,
  afterHours,
}: ServiceHours & { name: string; phone: string }): NextStep => ({
  label: 'call',
  name,
  phone,
  hours: hours && formatHours(hours, afterHours),
});

/**
 * Whom to call: a provider that canceled what it had confirmed, at its own number, and otherwise
 * the network, which knows other services. A provider that declined comes first while it is open,
 * because the network may be closed then.
 */
function listCallSteps(
  { network: { organization } }: Registry,
  ending: Ending,
  { subsite, isOpen = false }: RepeatableRequest,
): NextStep[] {
  const hasOwnPhone = subsite?.phone !== undefined && subsite.phone !== organization.phone;
  const provider = hasOwnPhone
    ? [createCallStep({ ...subsite, name: providerOf(subsite), phone: subsite.phone! })]
    : [];
  if (ending === 'canceled' && hasOwnPhone) return provider;
  return [...(ending === 'declined' && isOpen ? provider : []), createCallStep(organization)];
}

/**
 * What a person can do after a request has ended: ask elsewhere if the provider ended it, or start
 * again unless the provider declined it. After a withdrawal, suggest only alternatives that the
 * record names.
 */
export const listNextSteps = (
  registry: Registry,
  ending: Ending,
  request: RepeatableRequest,
): NextStep[] => [
  ...(ending === 'declined' ? [] : listRestartSteps(registry, request)),
  ...(ending === 'withdrawn'
    ? listAlternativeSteps(registry, request.subsite)
    : listFallbackSteps(registry, ending, request)),
];
