import {
  boardAttributes,
  readLightBoard,
  countLightsOn,
  solveLightBoard,
} from '../../site/light-board.ts';
import type { Rule } from './rule.ts';

/** Rules for item attributes. */
export const itemRules: Rule[] = [
  {
    name: 'light-board',
    description:
      'An item with lit_by_row describes a solvable board, with the correct numbers of lights and presses.',
    *check({ catalogs }) {
      for (const [name, { items }] of Object.entries(catalogs))
        for (const [index, item] of items.entries()) {
          const { attributes = {} } = item;
          if (!('lit_by_row' in attributes)) continue;
          const fault = (attribute: string, problem: string) => ({
            record: `catalog/${name}`,
            path: ['items', index, 'attributes', attribute],
            problem,
          });
          const board = readLightBoard(item);
          const fewest = board && solveLightBoard(board)?.length;
          const [lights, presses] = [attributes['lights_on'], attributes['fewest_presses']];
          if (!board)
            yield fault(
              'lit_by_row',
              `does not describe a board with its ${boardAttributes.slice(0, 2).join(' and ')}. List the lit houses in each row, as in “1 AB, 2 A”.`,
            );
          else if (fewest === undefined)
            yield fault('lit_by_row', 'cannot be solved. Choose other lights.');
          else if (lights !== undefined && lights !== countLightsOn(board))
            yield fault(
              'lights_on',
              `is not the number of lights that are on. Use ${countLightsOn(board)}.`,
            );
          else if (presses !== undefined && presses !== fewest)
            yield fault('fewest_presses', `is not the minimum number of presses. Use ${fewest}.`);
        }
    },
  },
];
