import { expect, it } from 'vitest';
import { exportLeads } from '../../src/cli/leads/export-leads.ts';
import { submitLead } from '../deliveries/setup/drain.ts';
import { listActions } from '../operations/setup/actions.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const verb = listActions(site).find(
  ({ action: { effect, fields } }) =>
    !effect && Object.values(fields).some(({ type }) => type === 'string'),
)!;
const [name] = Object.entries(verb.action.fields).find(([, { type }]) => type === 'string')!;

it('a text with several lines is one cell for every RFC 4180 reader, whatever its line endings', async () => {
  const fixture = await openFixture(site);
  await submitLead(fixture.context, verb, {}, { [name]: 'First line.\nSecond line.' });
  let csv = '';
  for await (const text of exportLeads('csv', {}, fixture.context).text) csv += text;
  expect(csv).toContain('"First line.\nSecond line."');
  const unquotedText = csv.replace(/"(?:[^"]|"")*"/g, '');
  expect(unquotedText.split('\n').filter((line) => line && !line.endsWith('\r'))).toEqual([]);
  expect(unquotedText.match(/\n/g)).toHaveLength(2);
});
