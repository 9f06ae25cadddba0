import { z } from 'zod';
import { itemPhrases } from '../search-phrases.ts';
import { image } from './image.ts';
import { pricing } from './subsite.ts';
import { calendarDate, integer, itemRoute, key, line, prose } from './text.ts';

export const itemStatus = z.enum(['available', 'sold', 'upcoming', 'past']);

/** A catalog entry, such as an item, a size, a post, a sale or a profile. */
export const item = z
  .strictObject({
    id: key.describe('Key of the item, used in the path of its page; unique within the catalog.'),
    title: line(120).describe('Item name.'),
    summary: line(300).describe('The item in one or two sentences.'),
    status: itemStatus.optional().describe('State of the item; default: available.'),
    date: calendarDate.optional().describe('Date of publication, or of an event.'),
    place: line(120).optional().describe('Town or neighborhood.'),
    price: pricing.optional().describe('Published price.'),
    units: integer(1, 1000).optional().describe('Number of units of the item; default 1.'),
    tags: z
      .array(key)
      .optional()
      .describe('The kind of item, followed by other words to filter by.'),
    attributes: z
      .record(
        z
          .string()
          .regex(
            /^[a-z][a-z0-9_]*$/,
            'is not an attribute name. Use snake_case, such as length_ft',
          ),
        z.union([z.string(), z.number(), z.boolean()]),
      )
      .optional()
      .describe(
        'Measurements and properties by snake_case name, with any unit at the end, such as length_ft. An item is drawn to scale if it has two measurements (length, width, depth, height, diameter in _ft or _in), a length and seats, or a number of identical containers (crates: 20, crate_volume_cuft: 2.4). floor_space_width and floor_space_depth show the floor space that a machine needs.',
      ),
    image: image.optional().describe('Photograph of the item.'),
    body: prose.optional().describe('Markdown for the item’s page.'),
    updated: calendarDate
      .optional()
      .describe('Date of the last change, YYYY-MM-DD; default: the subsite’s date.'),
    asked: itemPhrases.optional(),
  })
  .describe('An item in a catalog.')
  .transform(({ asked: _, ...item }) => item);

/** The items of one subsite. The file is named after the subsite. */
export const catalog = z
  .strictObject({
    title: line(80).describe('Heading of the list.'),
    noun: line(30).describe('Name for one item, such as “trailer”.'),
    route: itemRoute
      .optional()
      .describe(
        'Route of item pages, with one parameter; without it, items are shown only on the subsite’s page.',
      ),
    purchaseTerms: z
      .array(line(300))
      .min(1)
      .max(8)
      .optional()
      .describe(
        'How a person gets an item: pickup, delivery, payment, tax and returns, in one or two sentences each; may contain Markdown links. Shown on each item’s page.',
      ),
    schemaType: z
      .enum(['Product', 'Article', 'Event', 'Person', 'Thing'])
      .describe('schema.org type of an item.'),
    items: z.array(item).min(1).describe('The items, in display order.'),
  })
  .describe('The catalog of one subsite.');

export type Item = z.infer<typeof item>;
export type Catalog = z.infer<typeof catalog>;
