import Negotiator from 'negotiator';
import { type Coding, codings } from '../build/arena.ts';

/** Header values are few and come again; what was made of them is kept, up to this many. */
const REMEMBERED = 500;

function remembered<Choice>(choose: (header: string) => Choice): (header: string) => Choice {
  const choices = new Map<string, Choice>();
  return (header) => {
    const known = choices.get(header);
    if (known !== undefined) return known;
    if (choices.size >= REMEMBERED) choices.clear();
    const choice = choose(header);
    choices.set(header, choice);
    return choice;
  };
}

// Its type declarations lack the second argument: equal q-values go by our order.
type Encodings = (available: readonly string[], options: { preferred: readonly string[] }) => Coding[];

const acceptedCodings = remembered((header) => {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  return (negotiator.encodings as Encodings).call(negotiator, codings, { preferred: codings });
});

/**
 * The coding to answer in, by Accept-Encoding with its q-values (RFC 9110 section 12.5.3): the best that is kept.
 * Identity where nothing else fits, also where the client refuses it, rather than no answer.
 */
export function chooseCoding(header: string | undefined, kept: (coding: Coding) => boolean): Coding {
  if (!header) return 'identity';
  return acceptedCodings(header).find(kept) ?? 'identity';
}

const quality = (header: string, type: string): number => {
  let best = { exactness: -1, q: 0 };
  for (const range of header.split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const exactness = name === type ? 2 : name === `${type.split('/')[0]}/*` ? 1 : name === '*/*' ? 0 : -1;
    const q = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
    if (exactness > best.exactness && q >= 0) best = { exactness, q };
  }
  return best.q;
};

/** Whether Accept names text/markdown and wants it at least as much as HTML. A range such as a bare star does not name it. */
export const prefersMarkdown: (accept: string) => boolean = remembered((accept) => {
  if (!/text\/markdown/i.test(accept)) return false;
  const markdown = quality(accept, 'text/markdown');
  return markdown > 0 && markdown >= quality(accept, 'text/html');
});
