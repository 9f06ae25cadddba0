import { createPropertyParameters } from '../setup/seeds.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { createKey } from '../../src/keys/keys.ts';
import { capabilityCatalogOf } from '../../src/capabilities/capability-catalog.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { renderMail } from '../../src/leads/deliveries/mail-text.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { importActions, importLeads } from '../../src/leads/submit/import-leads.ts';
import {
  collapseToLine,
  normalizeText,
  normalizeTexts,
} from '../../src/operation/normalize-text.ts';
import { listSiteActions, submitAction } from '../../src/leads/submit/submit-action.ts';
import { createEndpoint } from '../a2a/setup/endpoint.ts';
import { runWithTimeLimit } from '../setup/run-with-time-limit.ts';
import { openMcpEndpoints } from '../transports/setup/mcp.ts';
import { client, inputsOf } from '../transports/setup/send.ts';
import { openFixture, sites, type Fixture } from './setup/fixture.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];

/**
 * Characters that end a line in some program, move the cursor, reorder displayed text, or are
 * invisible.
 */
const UNSAFE_CHARACTERS =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\u3164\ufeff]/;
/** Text with such characters, lone surrogates, and headings and links as in a provider email. */
const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...['\r', '\n', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029', '\u001b[2K', '\u0000'],
        ...['\u202e', '\u2066', '\u200f', '\u061c', '\ud800', '\t', ' ', '| '],
        ...['\u200b', '\u2060', '\ufeff', '\u00ad', '\u3164', '\u034f', '\u200d', '\ufe0f'],
        ...['\u{e0041}', '\u{e007f}', '\u{e0100}', '\u{1f3f4}', '\u180e', '\u180b'],
        ...['ANSWER', 'REQUEST', 'Confirm:', 'https://evil.example/answer/x'],
      ),
      fc.string({ unit: 'binary', maxLength: 5 }),
    ),
    { minLength: 1, maxLength: 30 },
  )
  .map((parts) => `x${parts.join('')}x`);

/** An action that is also a capability and has a text field. */
const capabilityAction = listSiteActions(site.registry).find(
  ({ subsite, action }) =>
    [...capabilityCatalogOf(site).values()].some(
      (capability) => capability.subsite === subsite.name && capability.action === action.verb,
    ) &&
    !action.effect &&
    Object.values(action.fields).some(({ type, content }) => type === 'string' && !content),
)!;
const capability = [...capabilityCatalogOf(site).values()].find(
  (each) =>
    each.subsite === capabilityAction.subsite.name && each.action === capabilityAction.action.verb,
)!;
const [textField] = Object.entries(capabilityAction.action.fields).find(
  ([, { type, content }]) => type === 'string' && !content,
)!;
const importAction = importActions({ site })[0]!;

let count = 0;
const contactOf = (text: string) => ({ name: text, email: `dana${++count}@example.com` });
const bodyOf = (text: string) => ({
  subsite: capabilityAction.subsite.name,
  action: capabilityAction.action.verb,
  fields: { ...exampleValuesOf(capabilityAction.action.fields), [textField]: text },
  contact: contactOf(text),
});

/** Submits a lead with text in every possible place, through each channel. */
async function channelsOf(
  fixture: Fixture,
): Promise<Record<string, (text: string) => Promise<unknown>>> {
  const http = client(fixture);
  const mcp = await openMcpEndpoints(fixture.context);
  const a2a = createEndpoint(fixture.context);
  const { key } = await createKey(
    { name: 'Texts', scopes: ['*'], expiresAt: null },
    fixture.context,
  );
  return {
    json: (text) => http.json('/api/lead/action', bodyOf(text)),
    'plain json': (text) =>
      http.json('/api/email-capture', {
        email: `dana${++count}@example.com`,
        source: capabilityAction.subsite.leadSource,
        name: text,
        data: { [`n${text}`]: text, list: [{ text }] },
      }),
    form: (text) => http.form('/api/lead/action', inputsOf(bodyOf(text))),
    mcp: (text) => mcp.call('/api/mcp', 'submit_action', bodyOf(text)),
    a2a: (text) =>
      a2a(`${site.base}/a2a/v1/message:send`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
        body: JSON.stringify({
          message: {
            messageId: `texts-${++count}`,
            role: 'ROLE_USER',
            parts: [{ data: bodyOf(text) }],
          },
        }),
      }),
    task: (text) => {
      const { fields, contact } = bodyOf(text);
      return http.json(
        '/api/v1/tasks',
        { capability: capability.id, input: { fields, contact } },
        { headers: { authorization: `Bearer ${key}` } },
      );
    },
    import: (text) => {
      const values: Record<string, unknown> = {
        ...exampleValuesOf(importAction.action.fields),
        [importAction.action.effect?.kind === 'import' ? importAction.action.effect.keyField : '']:
          `id${++count}`,
        name: text,
        email: `dana${count}@example.com`,
      };
      async function* generateRows() {
        yield { line: 1, values };
      }
      return importLeads(generateRows(), importAction, fixture.context);
    },
  };
}

/** Lines of an email that the program wrote, which have no leading bar. */
const extractOwnLines = (text: string) => text.split('\n').filter((line) => !line.startsWith('| '));

describe('a hostile text', async () => {
  const fixture = await openFixture(site);
  const channels = await channelsOf(fixture);

  it.each(Object.keys(channels))(
    'through %s is stored without characters that forge lines, and adds no line to the provider’s email',
    async (name) => {
      const composeMail = async (text: string) => {
        const earlierEvents = new Set((await fixture.rows('outbox')).map(({ id }) => String(id)));
        const answer = await channels[name]!(text);
        const newEvents = (await fixture.rows('outbox')).filter(
          ({ id }) => !earlierEvents.has(String(id)),
        );
        expect(newEvents.length, answer instanceof Response ? await answer.text() : '').toBe(1);
        const event = (await readLeadEvent(String(newEvents[0]!['id']), fixture.context))!;
        return { event, ...renderMail(event, site) };
      };
      const plainMail = await composeMail('xplainx');
      const maskValues = (lines: string[]) =>
        lines.map((line) =>
          line
            .replace(/(?:at |until |by )?\w+, \w+ \d+, \d+ at [^.]*/, 'TIME')
            .replace(/Reference: .*/, 'Reference')
            .replace(/https:.*/, 'LINK'),
        );
      await fc.assert(
        fc.asyncProperty(hostileText, async (text) => {
          const { event, subject, text: mail } = await composeMail(text);
          expect(JSON.stringify(event.lead)).not.toMatch(UNSAFE_CHARACTERS);
          expect(JSON.stringify(event.lead)).not.toMatch(/\\u00|\\r|\\f|\\b|\\ud8/);
          expect(event.lead.contact.name ?? '').not.toContain('\n');
          expect(subject).not.toMatch(/[^ -~]|evil/);
          expect(maskValues(extractOwnLines(mail))).toEqual(
            maskValues(extractOwnLines(plainMail.text)),
          );
        }),
        { numRuns: 15 },
      );
    },
  );
});

describe('a provider’s text', async () => {
  const fixture = await openFixture(site);
  const createLead = async () => {
    const answer = await client(fixture).json('/api/lead/action', bodyOf('x'));
    return ((await answer.json()) as { receiptToken: string }).receiptToken;
  };
  const sendOffer = async (lead: string, texts: object) =>
    sendAsProvider(
      { receiptToken: lead, action: 'offer', actor: 'provider' },
      { amount: '450', currency: 'USD', expires: '24h', ...texts },
      fixture.context,
    );

  it('is stored without invisible characters', async () => {
    const lead = await createLead();
    await sendOffer(lead, {
      description: 'All\u202e in\u{e0041}\u200b',
      text: 'Hi\u202e\u{e0042}',
    });
    expect((await fixture.rows('offers')).at(-1)).toMatchObject({ description: 'All in' });
    expect((await fixture.rows('lead_history')).at(-1)).toMatchObject({ note: 'Hi' });
  });

  it.each(['description', 'text'])('is rejected as a %s if nothing is visible', async (name) => {
    const lead = await createLead();
    await expect(sendOffer(lead, { [name]: ' \u200b\u{e0041} ' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });
});

describe('text normalization', () => {
  it('normalizes all text, and is idempotent', () => {
    fc.assert(
      fc.property(fc.oneof(hostileText, fc.string({ unit: 'binary' })), (text) => {
        const normalizedText = normalizeText(text);
        expect(normalizedText).not.toMatch(UNSAFE_CHARACTERS);
        expect(normalizedText.isWellFormed()).toBe(true);
        expect(normalizeText(normalizedText)).toBe(normalizedText);
      }),
    );
    expect(normalizeText('é 漢字 🎉 שלום\n\tline')).toBe('é 漢字 🎉 שלום\n\tline');
    expect(normalizeText('a\r\nb\rc\u0085d\u2028e')).toBe('a\nb\nc\nd\ne');
  });

  it.each([
    ['tags', 'a\u{e0001}\u{e0048}\u{e0069}\u{e007f}b', 'ab'],
    ['tags after a flag', '🏴\u{e0048}\u{e0069}\u{e0020}b', '🏴b'],
    ['zero-width spaces', 'a\u200bb\u2060c\ufeffd', 'abcd'],
    ['other invisible characters', 'a\u00adb\u3164c\u034fd\u115fe\u2064f\ufffbg', 'abcdefg'],
    ['variation selectors in a row', '❤\ufe0f\u{e0101}\u{e0102}b', '❤\ufe0fb'],
    ['Mongolian variation selectors in a row', 'ᠠ\u180b\u180c\u180dᠨ', 'ᠠ\u180bᠨ'],
    ['joiners in a row', 'ක්\u200d\u200c\u200d\u200cර', 'ක්\u200dර'],
    ['joiners and selectors in Latin text', 'Ba\u200dyli\u0301\u200cne\ufe0f', 'Bayli\u0301ne'],
    ['joiners and selectors in numbers', '800\u200c555\ufe0f1234,\u200d0', '8005551234,0'],
    ['hidden text in a flag', '🏴\u{e0069}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e007f}', '🏴'],
    ['joiners and selectors alone', ' \u200d\ufe0f \u200b', '  '],
  ])('removes %s', (_, text, normalizedText) => {
    expect(normalizeText(text)).toBe(normalizedText);
  });

  it.each([
    ['a family', '👨‍👩‍👧'],
    ['an emoji with a selector and a joiner', '❤️‍🔥'],
    ['the flag of Scotland', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}!'],
    ['Arabic with vowel marks', 'كَ\u200cت'],
    ['a Persian number', '۱۶\u200cساله'],
    ['Persian', 'می‌خواهم'],
    ['a keycap', '1\ufe0f\u20e3'],
    ['Sinhala', 'ශ්‍රී'],
    ['a Mongolian vowel separator', 'ᠬᠠᠨ᠎ᠠ'],
    ['an ideographic variant', '葛\u{e0100}城'],
  ])('keeps %s', (_, text) => {
    expect(normalizeText(text)).toBe(text);
  });

  it('is the same at every depth of JSON, and keeps names on one line', () => {
    fc.assert(
      fc.property(fc.jsonValue(), hostileText, (value, text) => {
        const normalizedText = normalizeTexts({ value, [text]: [{ inner: text }] });
        expect(normalizedText).toEqual(normalizeTexts(normalizedText));
        expect(Object.keys(normalizedText as object).join('')).not.toMatch(/\n/);
      }),
    );
    expect(normalizeTexts([1, null, true, 'a'])).toEqual([1, null, true, 'a']);
  });

  it('joins the lines of a text with one space for each line ending and the space around it', () => {
    const character = fc.constantFrom('a', 'b', ' ', '\t', '\n', '\r', '\u00a0', '\u2028');
    fc.assert(
      fc.property(fc.string({ unit: character }), (text) => {
        expect(collapseToLine(text)).toBe(normalizeText(text).replace(/\s*\n\s*/g, ' '));
      }),
      createPropertyParameters(2_000),
    );
  });

  it('normalizes member names of any length in linear time', () => {
    const spaces = ' '.repeat(1_000_000);
    expect(runWithTimeLimit(() => normalizeTexts({ [`${spaces}x`]: 1 }))).toEqual({
      [`${spaces}x`]: 1,
    });
    expect(runWithTimeLimit(() => normalizeTexts({ [`a\n${spaces}\n${spaces}b`]: 1 }))).toEqual({
      'a b': 1,
    });
  });

  it.each(
    Object.entries({
      phone: ['\u202a(727) 555-0142\u202c', '+17275550142'],
      email: ['\u2068dana@example.com\u2069', 'dana@example.com'],
    }),
  )('is applied to a copied %s', (kind, [copied, stored]) => {
    const input = submitAction.parse({ ...bodyOf('x'), contact: { [kind]: copied } }, {
      site,
      now: () => new Date(site.generatedAt),
    } as Fixture['context']);
    expect(input).toMatchObject({ contact: { [kind]: stored } });
  });

  it('is applied to every kind of field', () => {
    for (const { subsite, action } of listSiteActions(site.registry)) {
      const fields = exampleValuesOf(action.fields);
      const parse = (values: object) =>
        submitAction.parse({ subsite: subsite.name, action: action.verb, fields: values }, {
          site,
          now: () => new Date(site.generatedAt),
        } as Fixture['context']);
      const wrappedValues = Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [
          name,
          typeof value === 'string' ? `\u2068${value}\u2069` : value,
        ]),
      );
      expect(parse(wrappedValues)).toEqual(parse(fields));
    }
  });
});
