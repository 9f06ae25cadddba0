import type { ProviderAction } from '../../leads/conversation/conversation.ts';
import type { EnteredVisit } from '../../leads/conversation/visit-time.ts';
import type { EnteredHold } from '../../leads/holds/offered-hold.ts';
import type { ProblemDetails } from '../../operation/problem.ts';
import { OFFER_INPUTS, VISIT_INPUTS } from '../../site/forms/answer-input-names.ts';
import { DAYS_INPUT } from '../../site/forms/form-inputs.ts';
import { toDecimalAmount } from '../../site/forms/typed-amount.ts';
import { memberOf } from '../../site/json-object.ts';
import { MAX_BODY_BYTES, detectBodyKind, readBytes, parseJson } from '../body.ts';
import { flattenValues, readForm } from '../form.ts';

/** A POST to a page: form values by dotted name, or JSON from a program. */
export type PagePost =
  | {
      kind: 'form';
      texts: Readonly<Record<string, string>>;
      key?: string | undefined;
    }
  | { kind: 'json'; body: unknown };

/** Reads a form value; undefined if it is empty or if the body is JSON. */
export const textOf = (post: PagePost | undefined, name: string): string | undefined =>
  post?.kind === 'form' ? memberOf(post.texts, name) : undefined;

/** The days chosen in a calendar of available days, as the query for that calendar. */
export const daysOf = (post: PagePost | undefined): URLSearchParams =>
  new URLSearchParams(textOf(post, DAYS_INPUT));

/** Number of history entries when the form's page was shown; undefined if missing. */
export const revisionOf = (post: PagePost | undefined): number | undefined => {
  const text = textOf(post, 'revision');
  return text === undefined ? undefined : Number(text);
};

/** Reads a POST to a page. @throws {Problem} too_large, unsupported_media_type, malformed_body */
export async function readPagePost(request: Request): Promise<PagePost> {
  const kind = detectBodyKind(request.headers, true);
  const bytes = await readBytes(request, MAX_BODY_BYTES);
  if (kind === 'json') return { kind, body: parseJson(bytes) };
  const { texts, key } = await readForm(bytes, kind, request.headers.get('content-type')!);
  return { kind: 'form', key, texts: flattenValues(texts) };
}

/** The values posted with a form, or its initial values. The initial period stays preselected. */
export const formValuesOf = (
  post: PagePost | undefined,
  initialValues: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> => {
  if (post?.kind !== 'form') return initialValues;
  const { expires } = initialValues;
  return { ...(expires !== undefined && { expires }), ...post.texts };
};

export const groupFaultsByInput = (
  rejection: Pick<ProblemDetails, 'errors'> | undefined,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (rejection?.errors ?? []).map(({ pointer, message }) => [pointer.slice(1), message]),
  );

/** Inputs for an offer, which the inbox form also sends along with any other action. */
const OFFER_BODY_INPUTS = [...OFFER_INPUTS, 'checkedAmount', 'currency', 'payer', 'expires'];

/** The day and time of a visit in a form for an offer or a confirmation. */
export const enteredVisitOf = (post: PagePost | undefined): EnteredVisit => ({
  visitDay: textOf(post, 'visitDay'),
  visitTime: textOf(post, 'visitTime'),
});

/** The item and the days in a form for an offer. */
export const enteredHoldOf = (post: PagePost | undefined): EnteredHold => ({
  item: textOf(post, 'item'),
  from: textOf(post, 'from'),
  to: textOf(post, 'to'),
});

const AMOUNT_INPUTS = ['amount', 'checkedAmount'];

/** The checkboxes in the form for an offer. */
const OFFER_CHECKBOXES = ['confirmOnAccept', 'free', 'checkedTime'];

/** The inputs of an inbox form that are kept while the viewer signs in again. */
const KEPT_INPUTS = [
  'do',
  'text',
  'accepted',
  'asRequested',
  'checkedDays',
  'revision',
  ...VISIT_INPUTS,
  ...OFFER_BODY_INPUTS,
  ...OFFER_CHECKBOXES,
];

/** The values in an inbox form, to show again after the viewer signs in. */
export const keptValuesOf = (post: PagePost): Readonly<Record<string, string>> =>
  post.kind === 'form'
    ? Object.fromEntries(Object.entries(post.texts).filter(([name]) => KEPT_INPUTS.includes(name)))
    : {};

export function createProviderBody(
  texts: Readonly<Record<string, string>>,
  action: ProviderAction,
): Record<string, unknown> {
  const currency = texts['currency'] ?? '';
  const isAccepted = Object.hasOwn(texts, 'accepted');
  const names = action === 'offer' ? [...OFFER_BODY_INPUTS, 'text'] : ['text'];
  return {
    ...Object.fromEntries(
      Object.entries(texts)
        .filter(([name]) => names.includes(name))
        .map(([name, text]) => [
          name,
          AMOUNT_INPUTS.includes(name) ? toDecimalAmount(text, currency) : text,
        ]),
    ),
    ...Object.fromEntries(
      (action === 'offer' ? OFFER_CHECKBOXES : [])
        .filter((name) => Object.hasOwn(texts, name))
        .map((name) => [name, true]),
    ),
    // If both boxes are checked, they contradict each other, so neither is sent.
    ...(action === 'confirm' &&
      isAccepted !== Object.hasOwn(texts, 'asRequested') && { accepted: isAccepted }),
    ...(action === 'offer' &&
      Object.hasOwn(texts, 'free') &&
      !texts['amount']?.trim() && { amount: '0' }),
  };
}
