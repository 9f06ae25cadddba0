/** A row of share_links, the smallest table, identified by its token. */
export const link = (token: string) => ({
  token,
  digest: `digest of ${token}`,
  subsite: 'hvac',
  path: '/hvac',
  createdAt: '2026-11-21T09:00:00.000Z',
});
