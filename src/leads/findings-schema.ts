import * as v from 'valibot';
import { NOT_OFFERED_CODES_TEXT, notOfferedCodes } from '../search/not-offered.ts';
import { CLOSED_ANSWER_RULE } from '../site/calendar/answer-deadline.ts';
import { MESSAGE_HINT_TEXT } from '../site/forms/message-hint.ts';
import { REQUIREMENTS_TEXT } from '../site/forms/requirements.ts';
import { FREE_DAYS_URL_TEXT } from '../site/hold-action.ts';
import { withDescription, createTextSchema } from '../operation/validate.ts';

const address = (description: string) => v.pipe(v.string(), v.url(), v.description(description));

/** A JSON Schema of a body, in which each property is also a JSON Schema. */
const bodySchema = v.strictObject({
  type: v.literal('object'),
  properties: withDescription(
    v.objectWithRest({}, v.objectWithRest({}, v.unknown())),
    'JSON Schema of each member.',
  ),
  required: withDescription(v.array(v.string()), 'Members that must be sent.'),
  additionalProperties: v.literal(false),
});

const actionSchema = v.strictObject({
  verb: createTextSchema('Action name.'),
  title: createTextSchema('Display title.'),
  description: v.optional(createTextSchema('What happens when the action is submitted.')),
  respondWithinHours: v.optional(
    withDescription(
      v.number(),
      `Promised response time in hours, counting every hour. ${CLOSED_ANSWER_RULE}.`,
    ),
  ),
  contract: v.optional(createTextSchema('Digest of the action’s contract.')),
  messageHint: v.optional(createTextSchema(MESSAGE_HINT_TEXT)),
  requirements: v.optional(withDescription(v.array(v.string()), REQUIREMENTS_TEXT)),
  freeDaysUrl: v.optional(createTextSchema(FREE_DAYS_URL_TEXT)),
  body: v.optional(
    withDescription(
      bodySchema,
      'JSON Schema of the body to submit. If this is absent, the fields are in the manifest.',
    ),
  ),
});

const serviceSchema = v.strictObject({
  name: createTextSchema('Subsite name.'),
  title: createTextSchema('Display title.'),
  purpose: createTextSchema('Description of the service.'),
  status: withDescription(
    v.picklist(['public', 'auth']),
    'auth if the service requires an account.',
  ),
  url: address('Its page.'),
  manifest: address('URL of the record with all actions.'),
  price: v.optional(createTextSchema('Price as text.')),
  area: v.optional(createTextSchema('Service area.')),
  areaNotice: v.optional(
    createTextSchema(
      'Present if the query names a ZIP code outside the service area, or only known towns outside it. If absent, the place may still be outside: compare area.',
    ),
  ),
  termNotice: v.optional(
    createTextSchema('Present if the query names a period shorter than the shortest rental.'),
  ),
  opening: v.optional(
    createTextSchema(
      'Whether the service is open now, and when that changes, in its own time zone.',
    ),
  ),
  phone: v.optional(createTextSchema('Telephone number.')),
  emergency: v.optional(createTextSchema('Whom to call in an emergency.')),
  items: v.optional(
    withDescription(
      v.array(
        v.strictObject({
          id: createTextSchema('ID of the item, as in the item field of an action.'),
          title: createTextSchema('Item name.'),
          url: address('Its page.'),
          price: v.optional(createTextSchema('Price as text.')),
          state: v.optional(createTextSchema('sold or past; absent if the item is available.')),
        }),
      ),
      'Items that fit the need, best match first; sold and past items come last.',
    ),
  ),
  actions: withDescription(v.array(actionSchema), 'Actions that can be submitted.'),
  submit: v.optional(
    withDescription(
      v.strictObject({
        method: v.literal('POST'),
        url: address('URL for leaving an email address.'),
        source: createTextSchema('The `source` member of the body.'),
        body: v.optional(
          withDescription(
            bodySchema,
            'JSON Schema of the body. If this is absent, send email, source and, optionally, name and data.',
          ),
        ),
      }),
      'Present if the service has no actions: how to leave an email address.',
    ),
  ),
});

/** The response of `/api/find`. */
export const findingsSchema = withDescription(
  v.strictObject({
    notOffered: v.optional(
      createTextSchema(
        'Present if the network does not offer the service, if the search is not sure that it does, if the query was not understood, or as the answer to a query about the network or an existing request; services then has the closest matches and those for other needs in the query.',
      ),
    ),
    notOfferedCode: v.optional(
      withDescription(v.picklist(notOfferedCodes), NOT_OFFERED_CODES_TEXT),
    ),
    services: withDescription(v.array(serviceSchema), 'Best match first.'),
    submit: v.optional(
      withDescription(
        v.strictObject({
          method: v.literal('POST'),
          url: address('URL for submitting actions.'),
          then: createTextSchema('How to follow up on the request.'),
        }),
        'How to submit an action; the body schema is in the action. A service without actions has the member submit instead.',
      ),
    ),
    timeZone: createTextSchema(
      'IANA time zone of opening hours, and of every date that a request names.',
    ),
    today: v.pipe(
      v.string(),
      v.isoDate(),
      v.description('The date in that time zone, YYYY-MM-DD.'),
    ),
    ask: withDescription(
      v.strictObject({
        phone: createTextSchema('Telephone number.'),
        hours: v.optional(
          createTextSchema('Hours during which someone answers the phone, as text.'),
        ),
        email: createTextSchema('Email address.'),
      }),
      'Contact person.',
    ),
  }),
  'Search results for a need.',
);

export type Answer = v.InferOutput<typeof findingsSchema>;
export type FoundService = Answer['services'][number];
