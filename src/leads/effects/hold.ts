import { sql } from 'drizzle-orm';
import { holds } from '../../../db/schema-effects.ts';
import { itemsOf } from '../../site/registry.ts';
import {
  findBudgetRejection,
  recordUses,
  createBudgetConditions,
} from '../../operation/budgets.ts';
import { insertWhere } from '../../operation/statements.ts';
import { formatPointer } from '../../operation/json-pointer.ts';
import { budgetsOf, NO_EFFECT_PLAN, type PlanEffect, textOf } from './effect.ts';
import {
  readHoldCounts,
  holdExpiryOf,
  isBelowLimit,
  limitCallerShare,
  limitItemDays,
} from '../holds/hold-budgets.ts';
import { explainUnitRejection } from '../holds/hold-rejection.ts';
import { computeUnconfirmedLimit, selectFreeUnit } from '../holds/live-holds.ts';

/**
 * Holds one unit of a catalog item for a range of days. A unit never has two live holds on the same
 * day.
 */
export const planHold: PlanEffect<'hold'> = async (holdCall) => {
  const { subsite, effect, input, receiptToken, now, context, call, fieldsPath } = holdCall;
  const { catalog } = effect;
  const items = itemsOf(context.site.registry, catalog);
  const item = items.find(({ id }) => id === textOf(input, effect.itemField));
  const from = textOf(input, effect.fromField);
  const days = from && { from, to: textOf(input, effect.toField) ?? from };
  if (!item || !days) return NO_EFFECT_PLAN;
  const maxUnconfirmed = computeUnconfirmedLimit(items, budgetsOf(holdCall));
  const expiresAt = holdExpiryOf(holdCall, days);
  const counts = await readHoldCounts(holdCall, expiresAt);
  const callerLimits = [
    await limitItemDays(holdCall, item.id, days),
    await limitCallerShare(holdCall, maxUnconfirmed, days),
  ].filter((limit) => limit !== undefined);
  const findCallerRejection = async () => {
    for (const { findRejection } of callerLimits) {
      const problem = await findRejection();
      if (problem) return problem;
    }
    return undefined;
  };
  const unit = selectFreeUnit(catalog, item, days, now);
  return {
    extra: { hold: { expiresAt } },
    hold: { item: item.id, ...days, expiresAt },
    guards: [
      ...createBudgetConditions(counts, now),
      ...callerLimits.map(({ condition }) => condition),
      // Leave enough of the catalog for other people.
      ...(maxUnconfirmed === undefined ? [] : [isBelowLimit(maxUnconfirmed, catalog, days, now)]),
      sql`${unit} is not null`,
    ],
    rows: (written) => [
      insertWhere(
        holds,
        {
          lead: receiptToken,
          offer: '',
          catalog,
          item: item.id,
          unit,
          fromDay: days.from,
          toDay: days.to,
          expiresAt,
        },
        written,
      ),
      ...recordUses(counts, receiptToken, written),
    ],
    async rejection() {
      const unitRejection = await explainUnitRejection(
        {
          service: subsite,
          effect,
          item,
          days,
          maxUnconfirmed,
          pointers: {
            item: formatPointer(...fieldsPath, effect.itemField),
            from: formatPointer(...fieldsPath, effect.fromField),
            to:
              textOf(input, effect.toField) === undefined
                ? undefined
                : formatPointer(...fieldsPath, effect.toField),
          },
          channel: call.channel,
          now,
        },
        context,
      );
      // Waiting for a budget does not help if the days are taken.
      const rejection =
        unitRejection?.code === 'conflict'
          ? unitRejection
          : ((await findBudgetRejection(counts, context)) ??
            (await findCallerRejection()) ??
            unitRejection);
      if (rejection) throw rejection;
      return 'retry';
    },
  };
};
