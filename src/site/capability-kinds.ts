/** What a capability does. */
export const capabilityModes = ['information', 'intake', 'education', 'execution'] as const;

/** What runs a capability. */
export const capabilityAdapters = [
  'facts',
  'inquiry',
  'recipe',
  'research',
  'assist',
  'video',
] as const;
