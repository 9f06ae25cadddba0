import { type SpecField, specActions } from './actions.ts';

export interface SpecCapability {
  mode: string;
  adapter: string;
  pricing: 'free' | 'quote';
  /** Page of the capability, if it has one. */
  route?: string;
  subsite?: string;
  action?: string;
  /** Fields of an intake capability. */
  fields?: Record<string, SpecField>;
}

/** Subsites with help and guide capabilities. */
const SUBSITES_WITH_HELP = [
  'post',
  'fit',
  'agent',
  'animate',
  'realestateanimated',
  'cleanouts',
  'estate',
  'game',
  'generator',
  'homes',
  'housing',
  'hvac',
  'markets',
  'rental',
  'sales',
  'shop',
  'trailer',
  'wd',
  'live',
  'liquidation',
];

/** The path of the liquidation store differs from its name. */
const routeOf = (subsite: string) => (subsite === 'liquidation' ? '/crazybins' : `/${subsite}`);

const INTAKE_IDS = [
  'agent.request_pipeline_demo',
  'cleanouts.request_cleanout_quote',
  'estate.request_estate_consult',
  'generator.request_generator_quote',
  'homes.request_realtor_consult',
  'housing.ask_about_my_home',
  'housing.partner_lead_import',
  'hvac.request_hvac_service',
  'markets.request_data_feed',
  'sales.launchpad_intake',
  'sales.ready_business_interest',
  'shop.request_shop_inquiry',
  'trailer.book_trailer',
  'wd.request_wd_quote',
];

const text: SpecField = { type: 'string', required: false };

/** Differences between the input of an intake capability and its action. */
const INPUT_DIFFERENCES: Record<
  string,
  (fields: Record<string, SpecField>) => Record<string, SpecField>
> = {
  'sales.ready_business_interest': (fields) => ({
    ...fields,
    business: {
      type: 'enum',
      required: true,
      enum: ['landscape-supply', 'hvac-supply', 'own-idea'],
    },
  }),
  'homes.request_realtor_consult': (fields) => ({ ...fields, address: text, situation: text }),
  'generator.request_generator_quote': (fields) => ({
    ...fields,
    event_date: { type: 'string', required: true },
    return_date: text,
  }),
};

/** Required fields that the common pattern does not cover. */
export const requiredFieldsById: Record<string, string[]> = {
  'cleanouts.request_cleanout_quote': ['details', 'name', 'phone'],
  'estate.request_estate_consult': ['name'],
};

function createIntakeCapability(id: string): SpecCapability {
  const [subsite, action] = id.split('.') as [string, string];
  const fields = specActions[id]!;
  return {
    mode: 'intake',
    adapter: 'inquiry',
    pricing: 'free',
    subsite,
    action,
    fields: INPUT_DIFFERENCES[id]?.(fields) ?? fields,
  };
}

/** All 57 capabilities by ID. */
export const specCapabilities: Readonly<Record<string, SpecCapability>> = {
  ...Object.fromEntries(
    SUBSITES_WITH_HELP.map((subsite) => [
      `${subsite}.help`,
      { mode: 'information', adapter: 'facts', pricing: 'free', route: routeOf(subsite), subsite },
    ]),
  ),
  ...Object.fromEntries(
    SUBSITES_WITH_HELP.map((subsite) => [
      `guide.${subsite}`,
      {
        mode: 'education',
        adapter: 'recipe',
        pricing: 'free',
        route: `/services/agent/guide.${subsite}`,
        subsite,
      },
    ]),
  ),
  ...Object.fromEntries(INTAKE_IDS.map((id) => [id, createIntakeCapability(id)])),
  'company.research': {
    mode: 'education',
    adapter: 'research',
    pricing: 'quote',
    route: '/services',
  },
  'company.assist': { mode: 'information', adapter: 'assist', pricing: 'free', route: '/services' },
  'animate.create_video': {
    mode: 'execution',
    adapter: 'video',
    pricing: 'quote',
    route: '/animate',
    subsite: 'animate',
  },
};
