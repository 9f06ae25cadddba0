import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../src/leads/lead-log.ts';
import type { Actor, LeadStatus } from '../../src/leads/lead-states.ts';
import { addMessages, timelineOf } from '../../src/leads/status/timeline.ts';
import { timeline } from '../../src/text/index.ts';

/** Timeline titles of a lead after the given actors moved it through the given states. */
const titlesOf = (...entries: readonly (readonly [LeadStatus, Actor])[]): string[] =>
  timelineOf(
    entries.map(([status, actor], index): LogEntry => ({
      status,
      at: new Date(index * 60_000).toISOString(),
      actor,
      note: null,
    })),
  ).map(({ step }) => timeline[step]);

describe('the steps of a request', () => {
  it('say that the customer answered the question, not that the request was read again', () => {
    expect(
      titlesOf(
        ['new', 'person'],
        ['acknowledged', 'provider'],
        ['needs_info', 'provider'],
        ['needs_info', 'provider'],
        ['acknowledged', 'person'],
      ),
    ).toEqual(['Received', 'Read', 'A question for you', 'You answered']);
  });

  it('say "Read" when the provider acknowledges the request without an answer', () => {
    expect(
      titlesOf(['new', 'person'], ['needs_info', 'provider'], ['acknowledged', 'provider']),
    ).toEqual(['Received', 'A question for you', 'Read']);
    expect(
      titlesOf(
        ['new', 'person'],
        ['acknowledged', 'provider'],
        ['needs_info', 'provider'],
        ['acknowledged', 'provider'],
      ),
    ).toEqual(['Received', 'Read', 'A question for you']);
  });

  it('name every offer, and which one replaced another', () => {
    const offer = { offerId: 'one', amount: '450.00', currency: 'USD', confirmOnAccept: false };
    const entryAt = (minute: number, entry: Pick<LogEntry, 'status' | 'actor' | 'offer'>) => ({
      at: new Date(minute * 60_000).toISOString(),
      note: null,
      ...entry,
    });
    const offerAt = (minute: number, offerId: string, expires: number) =>
      entryAt(minute, {
        status: 'quoted',
        actor: 'provider',
        offer: { ...offer, offerId, expiresAt: new Date(expires * 60_000).toISOString() },
      });
    const steps = timelineOf([
      entryAt(0, { status: 'new', actor: 'person' }),
      offerAt(1, 'one', 60),
      offerAt(2, 'two', 60),
      offerAt(90, 'three', 120),
      entryAt(91, { status: 'accepted', actor: 'person' }),
    ]);
    expect(steps.map(({ step }) => timeline[step])).toEqual([
      'Received',
      'Offer for you',
      'New offer, replacing the previous one',
      'Offer for you',
      'You accepted the offer',
    ]);
  });

  it('say how the customer responded to an offer', () => {
    const offered = [
      ['new', 'person'],
      ['quoted', 'provider'],
    ] as const;
    expect(titlesOf(...offered, ['acknowledged', 'person'])).toEqual([
      'Received',
      'Offer for you',
      'You declined the offer',
    ]);
    expect(titlesOf(...offered, ['accepted', 'person'], ['confirmed', 'provider'])).toEqual([
      'Received',
      'Offer for you',
      'You accepted the offer',
      'Confirmed',
    ]);
    expect(titlesOf(...offered, ['confirmed', 'person'])).toEqual([
      'Received',
      'Offer for you',
      'You accepted the offer',
      'Confirmed',
    ]);
    expect(titlesOf(...offered, ['confirmed', 'provider'])).toEqual([
      'Received',
      'Offer for you',
      'Confirmed',
    ]);
  });
});

it('the history of a request lists each message that is not a separate step', () => {
  const [received, question, message, reply] = [0, 1, 2, 3].map((minute) =>
    new Date(minute * 60_000).toISOString(),
  );
  const steps = [
    { step: 'new', at: received! },
    { step: 'needs_info', at: question! },
    { step: 'confirmed', at: reply! },
  ] as const;
  expect(
    addMessages(steps, [
      { at: question!, from: 'provider' },
      { at: message!, from: 'provider' },
      { at: message!, from: 'provider', offer: {} },
      { at: reply!, from: 'person' },
    ]).map(({ step }) => timeline[step]),
  ).toEqual(['Received', 'A question for you', 'A message for you', 'Confirmed']);
});
