import { expect, it } from 'vitest';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { client } from './setup/send.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const TOKEN = 'aB3_-xYz'.padEnd(21, 'Q');
const send = async (path: string, method = 'GET') => {
  const response = await client(await openFixture(site)).send(path, { method });
  return [response.status, response.headers.get('location')];
};

it.each([
  ['/Find?q=AC', '/find?q=AC'],
  ['/Inbox', '/inbox'],
  ['/INBOX/?status=new', '/inbox?status=new'],
  ['/Inbox/7QDP8DLUBBKV4JCW', '/inbox/7QDP8DLUBBKV4JCW'],
  [`/Receipt/${TOKEN}`, `/receipt/${TOKEN}`],
  [`/receipt/${TOKEN}/Calendar`, `/receipt/${TOKEN}/calendar`],
  [`/Answer/${TOKEN}`, `/answer/${TOKEN}`],
  ['/S/aBcDeFgH', '/s/aBcDeFgH'],
  ['/Go/Trailers', '/go/trailers'],
  ['/Biz/My-Shop', '/biz/my-shop'],
  ['/Free-Days/Trailer/5X8', '/free-days/trailer/5x8'],
])('a page address in capitals leads to the page: %s', async (path, location) => {
  expect(await send(path)).toEqual([308, location]);
  expect(await send(path, 'HEAD')).toEqual([308, location]);
});

it.each([
  '/find',
  `/receipt/${TOKEN}`,
  '/s/aBcDeFgH',
  '/Elsewhere',
  '/Find/it',
  '/API/share',
  '/inbox/7QDP8DLUBBKV4JCW',
  '//Evil.example',
])('any other address is not redirected: %s', async (path) => {
  expect((await send(path))[0]).not.toBe(308);
});

it('a form that is sent to an address in capitals is not redirected', async () => {
  expect((await send('/Inbox', 'POST'))[0]).not.toBe(308);
});
