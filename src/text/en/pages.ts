/** What several pages say. */
export const pages = {
  lastChanged: 'Last changed {day}.',
} as const;
