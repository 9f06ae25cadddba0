import { isDayValue, isNeverPersonal } from '../fields/fields.ts';
import type { FieldValue } from '../fields/spec.ts';
import type { Action } from '../registry/schemas/action.ts';
import type { Subsite } from '../registry/schemas/subsite.ts';
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

/** How a request ended; `canceled` means by the provider, after the confirmation. */
const endings = ['declined', 'canceled', 'expired', 'withdrawn'] as const;
export type Ending = (typeof endings)[number];

/** The ending with the same name as a state or event; undefined if there is none. */
export const endingOf = (name: string): Ending | undefined =>
  endings.find((ending) => ending === name);

/** What a person whose request has ended can do next: open a link, or call. */
export type NextStep =
  | {
      /** Key of the label in the texts of the receipt. */
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
      /** When the phone is answered, in words; absent if this is not published. */
      hours?: string | undefined;
    };

interface RepeatableRequest {
  subsite: Subsite | undefined;
  /** The verb of the request; null for a plain request. */
  verb: string | null;
  action: Action | undefined;
  item: Pick<RequestedItem, 'id' | 'field' | 'path'> | undefined;
  /** Whether the service is open now; absent if it has no hours. */
  isOpen?: boolean | undefined;
  /** Submitted values to prefill; only those that cannot identify anyone are put into a URL. */
  fields?: readonly { name: string; value: FieldValue }[] | undefined;
  /** Today's date, YYYY-MM-DD: only days from today on are prefilled. If absent, no days are. */
  today?: string | undefined;
}

/** Lists the item, choices, numbers and future days of a request, by field, to put into a URL. */
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
 * Site-relative URL of the form for the same request, with its item and choices; undefined if there
 * is no form.
 */
function buildFormUrl(registry: Registry, request: RepeatableRequest): string | undefined {
  const { subsite, verb, action, item } = request;
  if (!subsite) return undefined;
  if (verb === null) return subsite.contactForm && `${subsite.url}#${CONTACT_ANCHOR}`;
  if (!action || !listOfferedActions(subsite).includes(action)) return undefined;
  const record = itemsOf(registry, subsite.name).find(({ id }) => id === item?.id);
  if (record && isSoldOrPast(record)) return undefined;
  // On an item's page, the form already knows the item.
  const isOnItemPage = item?.path !== undefined && action.fields[item.field]?.item;
  const inputs = subsite.leadEndpoint === EMAIL_ENDPOINT ? captureInputs : actionInputs;
  const query = new URLSearchParams(
    listRepeatedValues(request)
      .filter(([name]) => !isOnItemPage || name !== item.field)
      .map(([name, value]) => [`${inputs.fields}.${name}`, value]),
  );
  return `${isOnItemPage ? item.path : subsite.url}${query.size ? `?${query}` : ''}#${verb}`;
}

/** Links to the form for the same request, to start again. */
function listRestartSteps(registry: Registry, request: RepeatableRequest): NextStep[] {
  const url = buildFormUrl(registry, request);
  if (url === undefined) return [];
  const { purpose } = request.action ?? {};
  const label =
    purpose === 'subscription' ? 'subscribeAgain' : purpose === 'question' ? 'askAgain' : 'again';
  return [{ label, service: request.subsite?.title ?? '', url }];
}

/** Links to the alternatives in the subsite's record. */
const listAlternativeSteps = (registry: Registry, subsite: Subsite | undefined): NextStep[] =>
  listAlternatives(registry, subsite).map(({ title, url }) => ({
    label: 'elsewhere',
    service: title,
    url,
  }));

/** Links to the available days of a rental. */
function listFreeDayLookupSteps(
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
 * Lists the steps for getting days other than those of a confirmed request: see the available days,
 * or send a new request.
 */
export const listOtherDaysSteps = (registry: Registry, request: RepeatableRequest): NextStep[] => [
  ...listFreeDayLookupSteps(registry, request),
  ...listRestartSteps(registry, request),
];

/**
 * Lists other places to ask after the provider ended the request: the alternatives in the
 * subsite's record or, if there are none, the available days of a rental and a phone number. A
 * search would not help, because its best match would be the service that ended the request.
 */
function listFallbackSteps(
  registry: Registry,
  ending: Ending,
  request: RepeatableRequest,
): NextStep[] {
  const others = listAlternativeSteps(registry, request.subsite);
  if (others.length) return others;
  return [
    ...listFreeDayLookupSteps(registry, request),
    // No other service could answer a question for this provider.
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
 * Lists whom to call. If the provider canceled a confirmed request, it is the provider, at its own
 * number; otherwise, it is the network, which knows other services. A provider that declined is
 * listed first while it is open, because the network may be closed.
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
 * Lists what a person can do after a request has ended: ask elsewhere if the provider ended it, or
 * start again unless the provider declined it. After a withdrawal, only alternatives from the
 * record are suggested.
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
