import type { Offer } from '../../src/leads/conversation/conversation.ts';
import { changeLead } from '../../src/leads/change-lead.ts';
import { writeEntry } from '../../src/leads/write-entry.ts';
import type { LeadStatus } from '../../src/leads/lead-states.ts';
import { capture } from '../deliveries/setup/drain.ts';
import { sites, type Fixture } from '../operations/setup/fixture.ts';

export const [{ site }] = sites as unknown as [(typeof sites)[number]];
const source = site.registry.subsites[0]!.leadSource;

let offers = 0;

/** Makes an offer as the provider and returns its ID. */
export async function makeOffer(
  fixture: Pick<Fixture, 'context'>,
  lead: string,
  more: Partial<Offer> = {},
): Promise<string> {
  const offerId = `offer${String(++offers).padStart(4, '0')}`;
  await writeEntry(
    {
      receiptToken: lead,
      actor: 'provider',
      decide: (_, time) => ({
        to: 'quoted',
        offer: {
          offerId,
          amount: '450.00',
          currency: 'USD',
          expiresAt: new Date(time.getTime() + 48 * 3_600_000).toISOString(),
          confirmOnAccept: false,
          ...more,
        },
      }),
    },
    fixture.context,
  );
  return offerId;
}

/** Sequence of states that leads to each state. */
const statusSequences: Readonly<Record<LeadStatus, readonly LeadStatus[]>> = {
  new: [],
  acknowledged: ['acknowledged'],
  needs_info: ['needs_info'],
  quoted: ['quoted'],
  accepted: ['quoted', 'accepted'],
  confirmed: ['confirmed'],
  declined: ['declined'],
  withdrawn: ['withdrawn'],
  expired: ['expired'],
  erased: ['erased'],
};

/** Creates a lead in the given state. Returns the lead and its last offer. */
export async function createLeadInState(
  fixture: Pick<Fixture, 'context'>,
  status: LeadStatus,
  offer: Partial<Offer> = {},
) {
  const lead = await capture(fixture.context, source);
  let offerId = 'none';
  for (const to of statusSequences[status])
    if (to === 'quoted') offerId = await makeOffer(fixture, lead, offer);
    else
      await changeLead(
        {
          receiptToken: lead,
          to,
          actor:
            to === 'expired'
              ? 'system'
              : to === 'accepted' || to === 'withdrawn'
                ? 'person'
                : 'provider',
        },
        fixture.context,
      );
  return { lead, offerId };
}
