/** A row of the share links, the smallest table; its token names it. */
export const link = (token: string) => ({
  token,
  digest: `digest of ${token}`,
  subsite: 'hvac',
  path: '/hvac',
  createdAt: '2026-11-21T09:00:00.000Z',
});
