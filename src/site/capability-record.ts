import type { Action } from '../registry/schemas/action.ts';
import type { NetworkCapability } from '../registry/schemas/capability.ts';
import {
  exampleValuesOf,
  type Fields,
  fieldJsonSchemaOf,
  fieldsJsonSchemaOf,
} from '../fields/fields.ts';
import { MAX_TEXT_LENGTH } from '../fields/kinds/string.ts';
import { FILLED_PATTERN } from '../fields/text-length.ts';
import { CONTACT_ADVICE } from './forms/contact-rule.ts';
import { digestContract } from './contract.ts';
import { findSubsite, listOfferedActions, type Registry } from './registry.ts';
import type { Subsite } from '../registry/schemas/subsite.ts';

/** JSON Schema (2020-12) of an input object; it allows no additional properties at any level. */
export type InputSchema = Readonly<Record<string, unknown>>;

/** A capability as published to agents. */
export interface CapabilityRecord {
  /** `<subsite>.help`, `guide.<subsite>`, `<subsite>.<verb>`, or an ID from capabilities.yaml. */
  id: string;
  version: '1';
  title: string;
  description: string;
  /** Site-relative path of the capability’s page. */
  route: string;
  mode: NetworkCapability['mode'];
  adapter: NetworkCapability['adapter'];
  authentication: 'bearer';
  /** Present if the capability belongs to a subsite. */
  subsite?: string;
  /** The action's verb; present if the adapter is inquiry. */
  action?: string;
  /** Digest of the action’s contract; present if `action` is. */
  contract?: string;
  inputSchema: InputSchema;
  pricing: { kind: 'free' | 'quote'; description: string };
  /** Absolute URLs of pages and documents that back the description. */
  evidence: string[];
  limitations: string[];
}

const PRICE_DISCLAIMER = 'Published prices are not a booking or availability guarantee.';
const CONFIRMATION_NOTICE = 'Physical services need provider confirmation.';
const FREE_FACTS_TEXT = 'Free: published facts and guidance.';
const FREE_INTAKE_TEXT = 'Sending the request is free.';
const CONFIRMED_QUOTE_TEXT = 'a provider confirmation and a separate quote are required.';

const optionalField = { required: false } as const;

/** JSON Schema (2020-12) of the contact details in an inquiry; every property is optional. */
const contactJsonSchema: InputSchema = {
  type: 'object',
  description: CONTACT_ADVICE,
  properties: {
    name: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      pattern: FILLED_PATTERN,
      description: 'Name of the person.',
      examples: ['Dana Reyes'],
    },
    email: fieldJsonSchemaOf({
      ...optionalField,
      type: 'email',
      description: 'Email address for the answer.',
      example: 'dana@example.com',
    }),
    phone: fieldJsonSchemaOf({
      ...optionalField,
      type: 'phone',
      description: 'Phone number for the answer.',
      example: '(727) 555-0142',
    }),
  },
  additionalProperties: false,
};

const createQuestionSchema = (example: string | undefined): InputSchema => ({
  type: 'object',
  properties: {
    question: {
      type: 'string',
      maxLength: MAX_TEXT_LENGTH,
      description:
        'The question, in plain words. Without a question, the answer contains all published facts.',
    },
  },
  additionalProperties: false,
  ...(example !== undefined && { examples: [{ question: example }] }),
});

/** Fields of an action’s capability: those of the action, overridden or extended. */
export function capabilityFieldsOf(action: Action): Fields {
  return { ...action.fields, ...action.capability?.fields };
}

/**
 * True if a capability's action is offered to people, unlike an action for imports; also true
 * without an action.
 */
export function isOffered(
  registry: Registry,
  { subsite, action }: Pick<CapabilityRecord, 'subsite' | 'action'>,
): boolean {
  const owner = action !== undefined && subsite !== undefined && findSubsite(registry, subsite);
  return !owner || listOfferedActions(owner).some(({ verb }) => verb === action);
}

/** Site-relative path of a capability's page in the agent services area. */
export const capabilityPath = (registry: Registry, id: string): string =>
  `${registry.network.agentArea}/${id}`;

/**
 * Creates the members that capabilities share if they answer from published content; `source` is
 * its path.
 */
const createPublishedAnswerMembers = (
  subsite: Subsite,
  source: string,
  base: string,
): Pick<
  CapabilityRecord,
  'authentication' | 'subsite' | 'inputSchema' | 'pricing' | 'evidence' | 'limitations'
> => ({
  authentication: 'bearer',
  subsite: subsite.name,
  inputSchema: createQuestionSchema(subsite.questions?.[0]),
  pricing: { kind: 'free', description: FREE_FACTS_TEXT },
  evidence: [`${base}${subsite.url}`, `${base}${source}`, `${base}/api/v1/knowledge`],
  limitations: [PRICE_DISCLAIMER, CONFIRMATION_NOTICE],
});

function createHelpRecord(subsite: Subsite, base: string): CapabilityRecord {
  return {
    id: `${subsite.name}.help`,
    version: '1',
    title: /\bhelp$/i.test(subsite.title) ? subsite.title : `${subsite.title}: help`,
    description: `Answers a question about ${subsite.title} from its published facts and prices, naming the source. ${subsite.purpose}`,
    route: subsite.url,
    mode: 'information',
    adapter: 'facts',
    ...createPublishedAnswerMembers(subsite, `/api/agent/${subsite.name}`, base),
  };
}

function createGuideRecord(registry: Registry, subsite: Subsite, base: string): CapabilityRecord {
  const id = `guide.${subsite.name}`;
  const steps = (subsite.guide ?? []).map((step) => step.title).join('; ');
  return {
    id,
    version: '1',
    title: `${subsite.title}: guide`,
    description: `Steps for doing or choosing it yourself${steps ? `: ${steps}` : ''}.`,
    route: capabilityPath(registry, id),
    mode: 'education',
    adapter: 'recipe',
    ...createPublishedAnswerMembers(subsite, capabilityPath(registry, id), base),
  };
}

/** Describes what submitting an action costs, and which price applies to what is requested. */
function describeIntakePrice({ pricing, commission }: Subsite, { purpose }: Action): string {
  if (purpose !== undefined)
    return `${FREE_INTAKE_TEXT} It buys nothing; to buy or book something, ${CONFIRMED_QUOTE_TEXT}`;
  return pricing?.length || commission
    ? `${FREE_INTAKE_TEXT} Published prices apply once the provider confirms; for anything else, ${CONFIRMED_QUOTE_TEXT}`
    : `${FREE_INTAKE_TEXT} A provider confirmation and a separate quote are required.`;
}

function createIntakeRecord(subsite: Subsite, action: Action, base: string): CapabilityRecord {
  const fields = capabilityFieldsOf(action);
  const addedFields = Object.keys(fields).filter((name) => !(name in action.fields));
  return {
    id: `${subsite.name}.${action.verb}`,
    version: '1',
    title: `${subsite.title}: ${action.title}`,
    description: action.description,
    route: subsite.url,
    mode: 'intake',
    adapter: 'inquiry',
    authentication: 'bearer',
    subsite: subsite.name,
    action: action.verb,
    contract: digestContract(subsite, action),
    inputSchema: {
      type: 'object',
      properties: {
        contact: contactJsonSchema,
        fields: { description: 'The fields of the action.', ...fieldsJsonSchemaOf(fields) },
      },
      required: ['contact', 'fields'],
      additionalProperties: false,
      examples: [{ contact: { email: 'dana@example.com' }, fields: exampleValuesOf(fields) }],
    },
    pricing: { kind: 'free', description: describeIntakePrice(subsite, action) },
    evidence: [`${base}${subsite.url}`, `${base}/api/agent/${subsite.name}`],
    limitations: [
      'Running the capability as a task requires a key; submitting the action itself does not.',
      ...(addedFields.length
        ? [`The action itself does not accept ${addedFields.join(' or ')}; only the task does.`]
        : []),
      'A receipt is not a confirmed booking or payment; the provider confirms separately.',
      PRICE_DISCLAIMER,
      ...(action.capability?.limitations ?? []),
    ],
  };
}

const ownerNameOf = ({ id }: NetworkCapability) => id.slice(0, id.indexOf('.'));

function createNetworkRecord(
  registry: Registry,
  capability: NetworkCapability,
  base: string,
): CapabilityRecord {
  const owner = findSubsite(registry, ownerNameOf(capability));
  return {
    id: capability.id,
    version: '1',
    title: capability.title,
    description: capability.description,
    route: capability.route,
    mode: capability.mode,
    adapter: capability.adapter,
    authentication: 'bearer',
    ...(owner && { subsite: owner.name }),
    inputSchema: { ...capability.inputSchema, examples: [capability.example] },
    pricing: capability.pricing,
    evidence: capability.evidence.map((path) => `${base}${path}`),
    limitations: [...capability.limitations],
  };
}

/** Lists all capabilities: the network’s, then each subsite’s. `base` is the service’s origin. */
export function capabilitiesOf(registry: Registry, base: string): CapabilityRecord[] {
  const networkCapabilities = registry.capabilities.filter(
    (capability) => !findSubsite(registry, ownerNameOf(capability)),
  );
  return [
    ...networkCapabilities.map((capability) => createNetworkRecord(registry, capability, base)),
    ...registry.subsites.flatMap((subsite) => listSubsiteCapabilities(registry, subsite, base)),
  ];
}

/**
 * Lists the capabilities of one subsite: help, the guide, the offered actions, and the capabilities
 * in capabilities.yaml whose IDs begin with its name.
 */
export function listSubsiteCapabilities(
  registry: Registry,
  subsite: Subsite,
  base: string,
): CapabilityRecord[] {
  return [
    ...(subsite.capabilities
      ? [createHelpRecord(subsite, base), createGuideRecord(registry, subsite, base)]
      : []),
    ...subsite.actions
      .filter((action) => action.capability)
      .map((action) => createIntakeRecord(subsite, action, base)),
    ...registry.capabilities
      .filter((capability) => ownerNameOf(capability) === subsite.name)
      .map((capability) => createNetworkRecord(registry, capability, base)),
  ];
}
