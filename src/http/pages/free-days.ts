import { readFreeDays } from '../../leads/holds/free-days.ts';
import type { Context } from '../../operation/context.ts';
import { DAYS_INPUT, TURN_PARAMETER } from '../../site/forms/form-inputs.ts';
import { leadInputsOf } from '../../site/forms/lead-inputs.ts';
import { findHoldAction } from '../../site/hold-action.ts';
import { findSubsite } from '../../site/registry.ts';
import type { Exchange } from '../exchange.ts';
import type { FreeDaysView } from '../views.ts';
import type { Page } from './page.ts';
import { daysOf, formValuesOf, type PagePost, textOf } from './page-post.ts';

/**
 * The availability calendar of a catalog item, with the form for holding it. A POST shows the days
 * that the person chose in the calendar or entered in the form, and keeps what was entered.
 */
export function createFreeDaysPage(context: Context): Page {
  async function createView({ params }: Exchange, days: URLSearchParams): Promise<FreeDaysView> {
    const names = { subsite: params['subsite'] ?? '', item: params['item'] ?? '' };
    return { kind: 'free-days', ...(await readFreeDays(names, days, context)) };
  }

  async function createFilledView(exchange: Exchange, post: PagePost): Promise<FreeDaysView> {
    const subsite = findSubsite(context.site.registry, exchange.params['subsite'] ?? '');
    const hold = subsite && findHoldAction(subsite);
    if (!hold) return createView(exchange, daysOf(post));
    const { fields } = leadInputsOf(subsite, true);
    const [itemInput, fromInput, toInput] = [
      hold.effect.itemField,
      hold.effect.fromField,
      hold.effect.toField,
    ].map((name) => `${fields}.${name}`) as [string, string, string];
    const values = formValuesOf(post);
    const calendarDays = daysOf(post);
    const start = calendarDays.get('start') ?? undefined;
    const isTurning = calendarDays.has(TURN_PARAMETER);
    const isChoosing = textOf(post, DAYS_INPUT) !== undefined && !isTurning;
    const { [fromInput]: from = '', [toInput]: to = '' } = values;
    const days = isChoosing
      ? calendarDays
      : new URLSearchParams({ from, to, ...(start !== undefined && { start }) });
    const firstView = await createView(exchange, days);
    const { chosen } = firstView;
    const isTypedDayShown =
      isChoosing ||
      isTurning ||
      !chosen.from ||
      firstView.days.some(({ day }) => day === chosen.from);
    const view = isTypedDayShown
      ? firstView
      : await createView(exchange, new URLSearchParams({ from, to, start: from }));
    return {
      ...view,
      enteredValues: {
        ...values,
        [itemInput]: view.item.id,
        ...(isChoosing && { [fromInput]: chosen.from ?? '', [toInput]: chosen.to ?? '' }),
      },
    };
  }

  return {
    home: '/',
    rateLimit: 'reads',
    show: (exchange) => createView(exchange, new URL(exchange.request.url).searchParams),
    submit: createFilledView,
  };
}
