/**
 * The required actions: subsite, verb and fields of each. `*` marks a required field; enum values
 * are in brackets.
 */
const ROWS: readonly [subsites: string, verb: string, fields: string][] = [
  [
    'advertising',
    'request_ad_ratecard',
    'company string; budget_range enum [under_500, 500_2k, 2k_10k, over_10k]',
  ],
  ['agents', 'request_agents_signup', 'use_case string'],
  ['agent, leads', 'request_pipeline_demo', 'brokerage string; agent_count number; market string'],
  ['blog', 'subscribe_newsletter', ''],
  [
    'circle',
    'route-me',
    'need* enum [Start a Business, Real Estate, Home Services, Rentals, Hauling & Delivery, Shop & Food, AI & Ventures, Events]; product* string; note string; ref string',
  ],
  [
    'cleanouts',
    'request_cleanout_quote',
    'name* string; phone* phone; address string; details* string',
  ],
  [
    'estate',
    'request_estate_consult',
    'name* string; phone phone; email email; city string; situation enum [downsizing, estate_settlement, moving, cleanout_only, other]; timeframe enum [asap, this_month, 1_3_months, exploring]; details string',
  ],
  [
    'drive',
    'request_delivery',
    'pickup_zip* zip; dropoff_zip* zip; weight_lbs number; notes string',
  ],
  [
    'weddings',
    'request_wedding_consult',
    'package* enum [coordination, officiant, planning, not_sure]; wedding_date string; venue string; guest_count string; message string',
  ],
  ['food', 'request_food_trial', 'household_size number'],
  [
    'generator',
    'request_generator_quote',
    'event_date* date; return_date date; zip* zip; wattage_needed number; fuel enum [gas, propane, either]',
  ],
  [
    'homes',
    'request_realtor_consult',
    'intent* enum [buyer, seller, investor, renter]; zip zip; timeline enum [asap, 30_days, 90_days, exploring]; notes string',
  ],
  [
    'housing',
    'ask_about_my_home',
    'intent* enum [selling, buying, curious_value, investing]; zip zip; address string; timeline enum [asap, 30_days, 90_days, exploring]; notes string',
  ],
  [
    'housing',
    'partner_lead_import',
    'partner_lead_id* string; partner_page string; imported_at string',
  ],
  [
    'hvac',
    'request_hvac_service',
    'issue* enum [no_cool, no_heat, noise, leak, install, maintenance, other]; zip* zip; urgency enum [emergency, today, this_week, flexible]; notes string',
  ],
  [
    'junk',
    'request_junk_pickup',
    'zip* zip; items* string; urgency enum [today, this_week, flexible]',
  ],
  [
    'kerplunk',
    'request_furniture_rental',
    'move_in* date; duration_months* number; zip* zip; package enum [studio, 1br, 2br, 3br, custom]',
  ],
  [
    'lastmile',
    'request_delivery_quote',
    'pickup_zip* zip; dropoff_zip* zip; weight_lbs number; urgency enum [asap, today, scheduled]; notes string',
  ],
  [
    'markets',
    'request_data_feed',
    'feed* enum [neighborhood, mls, market, custom]; intended_use string',
  ],
  [
    'moving',
    'request_moving_supplies',
    'move_date* date; zip* zip; rental_length enum [day, week, two_weeks]',
  ],
  [
    'picnic-table',
    'book_picnic_table',
    'event_date* date; zip* zip; table_count* number; return_date date',
  ],
  [
    'pools',
    'request_pool_delivery',
    'zip* zip; items* string; urgency enum [today, this_week, flexible]',
  ],
  [
    'real-estate-agent',
    'request_neighborhood_intel',
    'neighborhood* string; intent* enum [buyer, seller, investor, renter]',
  ],
  [
    'sales',
    'launchpad_intake',
    'idea* string; business_name* string; category enum [generic, auto, nails, hair, lawn, plumber, bakery, restaurant, boutique, contractor, petgroomer]; city string; offerings string; stopping string; need_first* enum [site, supplies, equipment, customers, all]; heard_about string',
  ],
  [
    'sales',
    'ready_business_interest',
    'role* enum [run_business, crew]; business* enum [pool-supply, home-essentials-box, landscape-supply, hvac-supply, own-idea]; notes string',
  ],
  ['scan', 'request_scan_demo', 'use_case string'],
  ['shop', 'request_shop_inquiry', 'itemId* string; question* string'],
  ['tables', 'book_tables', 'event_date* date; zip* zip; table_count* number; chair_count number'],
  [
    'trailer',
    'book_trailer',
    'size* enum [5x8, 6x12, 7x14]; pickup_date* date; return_date* date; zip* zip',
  ],
  ['video', 'request_video_trial', 'use_case string'],
  ['water', 'request_water_advice', 'gallons* number; issue* string; last_reading string'],
  [
    'wd',
    'request_wd_quote',
    'zip* zip; unit_type* enum [washer, dryer, bundle]; desired_start date; notes string',
  ],
];

export interface SpecField {
  type: string;
  required: boolean;
  enum?: string[];
}

/** Parses fields in the notation of the table above. */
function parseSpecFields(text: string): Record<string, SpecField> {
  return Object.fromEntries(
    text
      .split(';')
      .filter((part) => part.trim())
      .map((part) => {
        const [, name, star, type, values] = /^\s*(\w+)(\*?) (\w+)(?: \[(.*)\])?$/.exec(part)!;
        return [
          name!,
          { type: type!, required: star === '*', ...(values && { enum: values.split(', ') }) },
        ];
      }),
  );
}

/** Required actions by `<subsite>.<verb>`. */
export const specActions: Readonly<Record<string, Record<string, SpecField>>> = Object.fromEntries(
  ROWS.flatMap(([subsites, verb, fields]) =>
    subsites.split(', ').map((subsite) => [`${subsite}.${verb}`, parseSpecFields(fields)]),
  ),
);

/** Number of distinct verbs. */
export const specVerbs: readonly string[] = [...new Set(ROWS.map(([, verb]) => verb))];
