import { isCalendarDate } from '../../fields/kinds/date.ts';
import {
  boardAttributes,
  readLightBoard,
  countLightsOn,
  solveLightBoard,
} from '../../site/light-board.ts';
import type { Item } from '../schemas/catalog.ts';
import { describeDateFault, describeTimeFault } from '../../site/corrections/corrections.ts';
import { TIME_PATTERN } from '../schemas/opening-hours.ts';
import { eachItem } from './places.ts';
import type { Rule } from './rule.ts';

/** Finds faults in the opening and closing times and the last day of an item, by attribute. */
function findTimeFaults({ date, attributes = {} }: Item): [attribute: string, problem: string][] {
  const { opens, closes, last_day: lastDay } = attributes;
  const isTime = (time: unknown): time is string =>
    typeof time === 'string' && TIME_PATTERN.test(time);
  const faults = Object.entries({ opens, closes }).flatMap(([name, time]): [string, string][] =>
    time === undefined || isTime(time) ? [] : [[name, describeTimeFault(time)]],
  );
  if (isTime(opens) && isTime(closes) && opens >= closes)
    faults.push(['closes', 'is not after opens. Use a later time on the same day.']);
  if (lastDay === undefined) return faults;
  if (typeof lastDay !== 'string' || !isCalendarDate(lastDay))
    faults.push(['last_day', describeDateFault(lastDay)]);
  else if (date !== undefined && lastDay < date)
    faults.push(['last_day', `is before the date. Use ${date} or a later day.`]);
  return faults;
}

export const itemRules: Rule[] = [
  {
    name: 'item-times',
    description:
      'An item’s opens and closes are times of day in order, and its last_day is a date, not before the item’s date.',
    *check(records) {
      for (const { item, fault } of eachItem(records))
        for (const [attribute, problem] of findTimeFaults(item))
          yield fault(problem, ['attributes', attribute]);
    },
  },
  {
    name: 'light-board',
    description:
      'An item with lit_by_row describes a solvable board, with the correct numbers of lights and presses.',
    *check(records) {
      for (const { item, fault } of eachItem(records)) {
        const { attributes = {} } = item;
        if (!('lit_by_row' in attributes)) continue;
        const board = readLightBoard(item);
        const minPresses = board && solveLightBoard(board)?.length;
        const [lights, presses] = [attributes['lights_on'], attributes['fewest_presses']];
        if (!board)
          yield fault(
            `is not valid for the board’s ${boardAttributes.slice(0, 2).join(' and ')}. List the lit houses in each row, as in “1 AB, 2 A”.`,
            ['attributes', 'lit_by_row'],
          );
        else if (minPresses === undefined)
          yield fault('cannot be solved. Choose other lights.', ['attributes', 'lit_by_row']);
        else if (lights !== undefined && lights !== countLightsOn(board))
          yield fault(`is not the number of lights that are on. Use ${countLightsOn(board)}.`, [
            'attributes',
            'lights_on',
          ]);
        else if (presses !== undefined && presses !== minPresses)
          yield fault(`is not the minimum number of presses. Use ${minPresses}.`, [
            'attributes',
            'fewest_presses',
          ]);
      }
    },
  },
];
