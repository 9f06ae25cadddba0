import type { Findings } from '../../search/find-need.ts';
import type { ServiceEntry } from '../../search/find-services.ts';
import { escapeXml } from '../../site/escape-xml.ts';
import { describeOpeningNow, describeOpenState } from '../../site/calendar/opening-hours.ts';
import { createTelUrl } from '../../site/phone.ts';
import { preventLineBreaksInHtml } from '../../site/words/non-breaking-spaces.ts';
import { fill, fillPlural } from '../../text/fill.ts';
import { frame, search as text } from '../../text/index.ts';

const renderLink = (text: string, href: string, attributes = ''): string =>
  `<a href="${escapeXml(href)}"${attributes}>${escapeXml(text)}</a>`;

/** A line made of parts; empty if there are none. */
const renderLine = (className: string, parts: readonly string[]): string =>
  parts.length ? `<p class="${className}">${parts.join('')}</p>` : '';

/** The price, area and hours at a given time, as far as they are known. */
function renderFacts(service: ServiceEntry, timeZone: string, now: Date): string[] {
  const { price, minimumTerm, area } = service;
  const openState = describeOpeningNow(service, timeZone, now);
  return [
    ...(price ? [`<strong>${escapeXml(price)}</strong>`] : []),
    ...[minimumTerm, area, openState].flatMap((text) =>
      text ? [`<span>${escapeXml(text)}</span>`] : [],
    ),
  ];
}

/**
 * The forms and phone number of a service; the number comes first if only calls are answered now.
 */
function renderContactOptions(service: ServiceEntry, timeZone: string, now: Date): string[] {
  const { title, requests = [], phone } = service;
  const links = requests.map((request) => renderLink(request.title, request.path));
  if (!phone) return links;
  const callsFirst =
    service.answersEmergencyCalls && describeOpenState(service, timeZone, now)?.open === false;
  const call = renderLink(
    fill(frame.call, { phone }),
    createTelUrl(phone),
    ` aria-label="${escapeXml(fill(text.callOf, { phone, service: title }))}"${callsFirst ? ' class="primary"' : ''}`,
  );
  return callsFirst ? [call, ...links] : [...links, call];
}

/** A search result as HTML, shared by the script and the server. */
export function renderResult(found: ServiceEntry, timeZone: string, now: Date): string {
  const { title, text: summary, path, kind, category } = found;
  return preventLineBreaksInHtml(
    [
      `<li data-category="${category}">`,
      renderLink(title, path, ' class="found"'),
      `<span class="kind-of">${escapeXml(kind)}</span>`,
      `<p>${escapeXml(summary)}</p>`,
      renderLine('facts-line', renderFacts(found, timeZone, now)),
      renderLine('ways', renderContactOptions(found, timeZone, now)),
      '</li>',
    ].join(''),
  );
}

/** The number of results, in words, or why there are none. */
export function describeResultCount({ found, notOffered, notOfferedCode }: Findings): string {
  if (notOffered === undefined) return fillPlural(text.count, found.length);
  if (!found.length || notOfferedCode === 'answered') return notOffered;
  const hasOnlyServices = found.every(({ item }) => item === undefined);
  return fill(hasOnlyServices ? text.closest : text.closestMatches, { notOffered });
}
