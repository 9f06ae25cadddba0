import { describe, expect, it } from 'vitest';
import { describeResultCount } from '../../src/components/search/search-result.ts';
import { loadRegistry } from '../../src/registry/index.ts';
import { network as networkSchema } from '../../src/registry/schemas/network.ts';
import { findNeed } from '../../src/search/find-need.ts';
import { findUnofferedService } from '../../src/search/not-offered.ts';
import { createServiceIndex } from '../../src/search/services.ts';
import { isSpanish } from '../../src/search/index/terms.ts';

const { network, subsites } = loadRegistry('registry');
const { notOffered } = network.search;
const services = createServiceIndex(loadRegistry('registry'));

describe('what a network does not offer', () => {
  it.each([
    ['I need a plumber tonight', 'plumbing'],
    ['are you licensed and insured', 'questions about licenses and insurance'],
    ['electricians near me', 'electrical work'],
    ['who repairs a leaking roof', 'roofing'],
    ['U-Haul', 'car or moving-truck rentals'],
    ['rent a car', 'car or moving-truck rentals'],
    ['rent me a car', 'car or moving-truck rentals'],
    ['Do you rent cars?', 'car or moving-truck rentals'],
    ['roof repair', 'roofing'],
    ['Can you repair my roof?', 'roofing'],
    ['can you fix my roof', 'roofing'],
    ['Could you paint our house', 'painting'],
    ['nail salon', 'nail or hair care'],
    ['clean my house', 'house cleaning'],
    ['someone to clean my house weekly', 'house cleaning'],
    ['someone to clean my house', 'house cleaning'],
    ['house cleaner', 'house cleaning'],
    ['I need a weekly house cleaner', 'house cleaning'],
    ['fix my toilet', 'plumbing'],
    ['my toilet is clogged', 'plumbing'],
    ['fix a dripping faucet', 'plumbing'],
    ['leaky pipe under the sink', 'plumbing'],
    ['unclog the kitchen drain', 'plumbing'],
    ['install an outlet', 'electrical work'],
    ['there are mice in my attic', 'pest control'],
    ['cut my grass', 'lawn and tree care'],
    ['change the date', 'changes to a request'],
    ['where is my request', 'changes to a request'],
    ['status of my request', 'changes to a request'],
    ['I want to cancel', 'changes to a request'],
    ['quiero cancelar mi cita', 'changes to a request'],
    ['mi lavadora pierde agua', 'repairs of appliances that you own'],
    ['withdraw my request', 'changes to a request'],
    ['cancel my request', 'changes to a request'],
    ['how do I follow my request', 'changes to a request'],
    ['follow a request', 'changes to a request'],
    ['how do I follow a request I sent', 'changes to a request'],
    ['where is my receipt', 'changes to a request'],
    ['7QAP-NAVG-WTQW-NMKP', 'changes to a request'],
    ['2d0mK9x_Rt-4Bq7nWc1Zs', 'changes to a request'],
    ['https://bayline.example/receipt/2d0mK9x_Rt-4Bq7nWc1Zs', 'changes to a request'],
    ['what happened to my request', 'changes to a request'],
    ['what became of my trailer reservation', 'changes to a request'],
    ['I did not get an answer to my request', 'changes to a request'],
    ['I have not received a reply', 'changes to a request'],
    ['cancel the booking', 'changes to a request'],
    ['I want to cancel my booking', 'changes to a request'],
    ['cancelar mi solicitud', 'changes to a request'],
    ['7QDJ-LKNU-3N7U-4WRT', 'changes to a request'],
    ['status of 7qdj-lknu-3n7u-4wrt', 'changes to a request'],
    ['cancel my trailer booking', 'changes to a request'],
    ['cancel my wedding consult', 'changes to a request'],
    ['change my trailer dates', 'changes to a request'],
    ['change my pickup from Saturday to Sunday', 'changes to a request'],
    ['I want to return my trailer a day later', 'changes to a request'],
    ['can I keep my trailer another day', 'changes to a request'],
    ['what is the status of my trailer hold', 'changes to a request'],
    ['reschedule my trailer rental to Sunday', 'changes to a request'],
    ['move the date of my booking', 'changes to a request'],
    ['can you move my trailer pickup to another day', 'changes to a request'],
    ['can I bring my trailer back a day later', 'changes to a request'],
    ['nobody answered my request', 'changes to a request'],
    ['nobody called me back about the AC', 'changes to a request'],
    ['I haven’t heard back about my estate consult', 'changes to a request'],
    ['is my trailer confirmed', 'changes to a request'],
    ['cancelar mi remolque', 'changes to a request'],
    ['quiero cambiar la fecha de mi remolque', 'changes to a request'],
    ['¿Dónde está mi técnico?', 'changes to a request'],
    ['nadie me ha contestado', 'changes to a request'],
    ['uhaul', 'car or moving-truck rentals'],
    ['party tent rental', 'tents or canopies'],
    ['quiero una carpa y sillas para una quinceañera', 'tents or canopies'],
    ['storage unit for 2 months', 'storage space to rent'],
    ['rent storage space', 'storage space to rent'],
    ['someone to help me move', 'moving crews'],
    ['necesito a alguien que me ayude a mudarme', 'moving crews'],
    ['Do you serve Orlando?', 'questions about where we work'],
    ['flat tire', 'tires or roadside help'],
    ['my washer is broken', 'repairs of appliances that you own'],
    ['dryer repair in Largo', 'repairs of appliances that you own'],
    ['fix my refrigerator', 'repairs of appliances that you own'],
    ['my fridge is broken', 'repairs of appliances that you own'],
    ['fridge not cooling', 'repairs of appliances that you own'],
    ['washer leaks', 'repairs of appliances that you own'],
    ['oven stopped', 'repairs of appliances that you own'],
    ['repair my own washing machine', 'repairs of appliances that you own'],
    ['reparar mi generador', 'generator repairs'],
    ['clean my pool', 'pool cleaning or repair'],
    ['pool cleaning service', 'pool cleaning or repair'],
    ['pool man to clean weekly', 'pool cleaning or repair'],
    ['buy a used wheelchair', 'wheelchairs or other medical equipment'],
    ['the shower is leaking', 'plumbing'],
    ['fix the AC in my car', 'car or computer repairs'],
    ['rent a van', 'car or moving-truck rentals'],
    ['my carbon monoxide alarm is going off', 'gas leaks or carbon monoxide alarms'],
    ['I smell gas in my house, what should I do?', 'gas leaks or carbon monoxide alarms'],
    ['smells like gas in my kitchen', 'gas leaks or carbon monoxide alarms'],
    ['huele a gas en mi cocina', 'gas leaks or carbon monoxide alarms'],
    ['se activó la alarma de monóxido de carbono', 'gas leaks or carbon monoxide alarms'],
    ['Are your washers for sale?', 'washers or dryers to buy'],
    ['used washer to buy', 'washers or dryers to buy'],
    ['venden lavadoras', 'washers or dryers to buy'],
    ['generator for sale', 'generators to buy'],
    ['buy a trailer', 'trailers to buy'],
    ['where can i buy moving boxes', 'moving boxes to buy'],
    ['rent a dump trailer for the weekend', 'dump trailers'],
    ['dump trailer for shingles', 'dump trailers'],
    ['wedding photographer', 'photography'],
    ['car towing', 'tires or roadside help'],
    ['my pipes are leaking', 'plumbing'],
    ['my washer and dryer are broken', 'repairs of appliances that you own'],
    ['who are you', 'questions about who runs the network'],
    ['Is this site a scam?', 'questions about who runs the network'],
    ['I want to talk to a human', 'conversations with a person'],
    ['quiero hablar con una persona', 'conversations with a person'],
    ['I have a complaint', 'conversations with a person'],
    ['Where are you based?', 'questions about where the network is'],
    ['What are your hours?', 'questions about hours'],
    ['How can I pay?', 'questions about payment'],
    ['can I pay in cash', 'questions about payment'],
    ['do you take credit cards?', 'questions about payment'],
    ['¿Puedo pagar en efectivo?', 'questions about payment'],
    ['¿Qué servicios ofrecen?', 'questions about the list of services'],
    ['Do you speak Spanish?', 'questions about languages'],
    ['¿Hablan español?', 'questions about languages'],
    ['are you hiring right now', 'job openings'],
    ['Can I buy a gift card?', 'gift cards'],
    ['How do I get an API key?', 'questions about API keys'],
    ['where do I ask for a bearer token', 'questions about API keys'],
    ['quiero una clave de API', 'questions about API keys'],
    ['do you have a veteran discount', 'discounts for groups'],
    ['AI consultants', 'AI or software consulting'],
    ['tires', 'tires or roadside help'],
    ['se me ponchó una llanta', 'tires or roadside help'],
    ['paint my living room', 'painting'],
    ['quiero que pinten mi cuarto', 'painting'],
    ['limpieza de casas', 'house cleaning'],
    ['busco quien limpie mi casa', 'house cleaning'],
    ['se me rompió la lavadora', 'repairs of appliances that you own'],
    ['la secadora ya no calienta', 'repairs of appliances that you own'],
    ['cortar el pasto', 'lawn and tree care'],
    ['hay alguien que limpie piscinas', 'pool cleaning or repair'],
    ['mi inodoro está tapado', 'plumbing'],
    ['walk my dog', 'child or pet care'],
    ['alguien que cuide a mis niños', 'child or pet care'],
    ['need a room to rent', 'single rooms to live in'],
    ['busco un cuarto para rentar', 'single rooms to live in'],
    ['pizza delivery', 'restaurant meals'],
    ['who fixes refrigerators', 'repairs of appliances that you own'],
    ['rent a refrigerator', 'rentals of other appliances'],
    ['I want a job', 'job openings'],
    ['buy bitcoin', 'cryptocurrency purchases or sales'],
    ['who gets my phone number', 'questions about who sees contact details'],
    ['I need a lawyer', 'legal or notary work'],
    ['probate attorney', 'legal or notary work'],
    ['lawyer for probate', 'legal or notary work'],
    ['notary public near me', 'legal or notary work'],
    ['Who can look after my dog next week?', 'child or pet care'],
    ['take care of my dog', 'child or pet care'],
    ['watch my cat', 'child or pet care'],
    ['feed my cat', 'child or pet care'],
    ['sell me a gun', 'weapons'],
    ['where can I buy ammo', 'weapons'],
    ['trailer tipping dumper', 'dump trailers'],
    ['unsubscribe newsletter', 'questions about stopping the newsletter'],
    ['cancel my newsletter', 'questions about stopping the newsletter'],
    ['please take me off your mailing list', 'questions about stopping the newsletter'],
    ['this wasn’t me', 'requests sent by somebody else'],
    ['it was not me', 'requests sent by somebody else'],
    ['i have a van and want to work for you', 'questions about joining as a provider'],
    ['list my service', 'questions about joining as a provider'],
    ['rent out my trailer', 'questions about joining as a provider'],
    ['rent my generator to others', 'questions about joining as a provider'],
    ['is it legit', 'questions about who runs the network'],
    ['who owns this', 'questions about who runs the network'],
    ['can I talk to someone', 'conversations with a person'],
    ['contact', 'conversations with a person'],
    ['How do I contact you?', 'conversations with a person'],
    ['open on sunday', 'questions about hours'],
    ['are you open this Saturday', 'questions about hours'],
    ['my car needs a wash', 'cleaning of furniture, vehicles or ducts'],
    ['unsubscribe from emails', 'questions about stopping the newsletter'],
    ['unsubscribe from email', 'questions about stopping the newsletter'],
    ['stop emailing me', 'questions about stopping the newsletter'],
    ['stop sending me the newsletter', 'questions about stopping the newsletter'],
    ['that was not me', 'requests sent by somebody else'],
    ["I didn't make this request", 'requests sent by somebody else'],
    ['I never requested this', 'requests sent by somebody else'],
    ['someone used my phone number', 'requests sent by somebody else'],
    ['I want to rent my trailer out', 'questions about joining as a provider'],
    ['rent my trailer out to people', 'questions about joining as a provider'],
    ['can I rent my trailer out through you', 'questions about joining as a provider'],
    ['I want to drive for Bayline', 'questions about joining as a provider'],
    ['can I deliver for you', 'questions about joining as a provider'],
    ['who runs this', 'questions about who runs the network'],
    ['is it real', 'questions about who runs the network'],
    ['can I trust you', 'questions about who runs the network'],
    ['get in touch', 'conversations with a person'],
    ['how do I reach you', 'conversations with a person'],
    ['Hi, can I talk to someone please', 'conversations with a person'],
    ['are you guys open today', 'questions about hours'],
    ['is it open today', 'questions about hours'],
    ['do you speak español', 'questions about languages'],
    ['unsubscribe me from the list', 'questions about stopping the newsletter'],
    ['are you guys insured?', 'questions about licenses and insurance'],
    ['¿Están abiertos hoy?', 'questions about hours'],
    ['¿abren hoy?', 'questions about hours'],
    ['¿están abiertos el domingo?', 'questions about hours'],
    ['estan abiertos el sabado', 'questions about hours'],
  ])('is recognized in “%s”', (query, what) =>
    expect(findUnofferedService(notOffered, query)?.what).toBe(what),
  );

  it.each([
    'AC broken at a law firm',
    "junk pickup at my lawyer's office",
    'do I need a lawyer to get married',
    'need job site power',
    'I am looking for work trailers',
    'need a job quote for a cleanout',
    'who has information about estate sales',
    'someone told me to buy bitcoin to pay',
    'rent a GPU to trade crypto',
    'hire a fridge removal',
    '',
    'pipe',
    'trailer for saturday',
    'AC broken at night',
    'repair my rented washer',
    'advertise in the newsletter',
    'newsletter for my customers',
    'start a mailing list',
    'dog bakery storefront',
    'I groom dogs and want a web page',
    'video of my dog',
    'watch a movie with my kids',
    'can I bring my dog to the walk',
    'haul away a dog house',
    'heat gun',
    'nail gun rental',
    'gun safe removal',
    'sell my house',
    'sell my house before probate',
    'sell mom’s house in probate',
    'estate sale after probate',
    'clean-out during probate',
    'do I need a probate lawyer for an estate sale',
    'does a notary count for our wedding',
    'can a notary marry us',
    'deliver papers to a notary',
    'list my house',
    'rent out my house',
    'rent my trailer from you again',
    'I have a truck and need a trailer',
    'rent a generator to run my work trailer',
    'contact the people I rented from about damage',
    'who owns this house',
    'talk to someone about selling my house',
    'is this house real brick',
    'open house on Sunday',
    'trailer open on Sunday',
    'is there a vet open on Sunday',
    'open my own store',
    'how many gallons does it hold',
    'can I cancel the washer rental',
    'what happens if I return my trailer late',
    'rent a 6x12 cargo trailer like uhaul',
    'clean out my storage unit',
    'do you serve alcohol at the class',
    'move my couch to my new place on Saturday',
    'can someone move my piano the same day',
    'help us move our stuff in time',
    'bring my junk to the dump another day',
    'change my air filter',
    'nobody answers the phone at my shop',
    'clean-out canceled on short notice, what does it cost',
    'withdraw money from my wallet',
    'sell grandmother’s furniture',
    'house clean-out',
    'clean out my house',
    'the trailer has a flat tire',
    'washer won’t drain',
    'haul away an old toilet',
    'throw away my toilet',
    'get a toilet hauled away',
    'haul away shingles',
    'what can my car tow',
    'can my truck tow the 7x14',
    'sell my used washer',
    'is it cheaper to rent or buy a washer',
    'does the generator come with a carbon monoxide alarm',
    'trailer to take stuff to the dump',
    'pick up leftover shingles',
    'house with a new roof',
    'garbage disposal of a whole house',
    'start a mowing business',
    'advertise my mowing service',
    'trailer to haul mowing equipment',
    'clean out house with roaches',
    'withdraw my kid from class',
    'change order of names',
    'stains in the toilet from our well',
    'web page for my dog walking business',
    'website for my plumbing company',
    'how do I start a business as a plumber',
    'haul away a broken fridge',
    'get rid of my broken washer',
    'generator to run my fridge when the power is out',
    'pool is green',
    'picnic table for a wheelchair',
    'old fridge leaking coolant',
    'air conditioner clogged pipe',
    'fix my pool table',
    'fix the truck trailer lights',
    'my phone is broken how do I order',
    'I rented it from you, who fixes it',
    'is this real estate',
    'opening hours of the shop',
    'how do I pay for the trailer',
    'can I pay cash at the estate sale',
    'they told me to pay in cash',
    'does the rental yard take credit cards',
    'an agent who speaks Spanish',
    'complaint about my rented washer',
    'they asked me to pay with gift cards',
    'property tax discount for a veteran',
    'hiring a crew for my own business',
    'la lavadora que rento no funciona',
    'quiero renta de lavadora, la mía está rota',
    'limpieza y desocupar la casa de mi papá',
    'do the hand trucks have air tires',
    'haul away old tires',
    'rent a bed for my guest room',
    'can I bring my dog to the walk',
    'web page for my pizza business',
    'pizza oven',
    'rent a generator for my refrigerator',
    'I need a job done in my yard',
    'do I need a lawyer to sell my house',
    'electricity for a DJ',
    'can you deliver for me',
    'do you deliver for free',
    'do you deliver for parties',
    'how much do you deliver for',
    'can you drive for me',
    'do you drive for seniors',
    'running',
    'run',
    'closing',
    'real',
    'owning',
    'operate',
    'trust',
    'call',
    'touch',
    'reach',
    'open',
    'open trailer',
    'real estate agent',
    'running group',
    'what is the',
    'stop sending me emails about my trailer',
    'stop emailing me about the wedding',
    'it was not me who damaged the trailer',
    "I didn't make it to pickup",
    "I didn't send it back",
    "that wasn't me who called",
    'someone used my name on a listing',
    'register my trailer with DMV',
    'list my tools for sale',
    'list my generator for sale',
    'list our equipment for sale at an estate sale',
    'I have a truck, I like to work on weekends, need a trailer',
    "take care of kid's birthday party",
    'watch a dog show',
    'take care of child support papers',
    'sell ammo cans',
  ])('is not recognized in “%s”', (query) =>
    expect(findUnofferedService(notOffered, query)).toBeUndefined(),
  );

  it('leads people with an idea for a business, in two words, to the service that helps to start it', () => {
    const registry = loadRegistry('registry');
    const { instead } = findUnofferedService(notOffered, 'nail salon')!;
    const [service] = registry.subsites.filter(({ actions }) =>
      actions.some(({ effect }) => effect?.kind === 'storefront'),
    );
    expect(instead).toEqual([service!.name]);
  });

  it('sends people who smell gas out of the house and to 911, and nowhere else', () => {
    const { found, notOffered } = findNeed(services, 'smells like gas in my kitchen');
    expect(notOffered).toMatch(/leave the house now.*call 911.*salga de la casa/);
    expect(found).toEqual([]);
  });

  it('names no estate service for an air conditioner that died', () => {
    const { found } = findNeed(services, 'my AC died and it’s 11 at night');
    expect(found[0]?.subsite).toBe('hvac');
    expect(found.map(({ subsite }) => subsite)).not.toContain('estate');
  });

  it('has a separate answer for people who look for their request, and finds the page about it', () => {
    const findings = findNeed(services, 'cancel my request');
    expect(findings.notOffered).toMatch(
      /^To follow, change or cancel a request, open the link in the email/,
    );
    expect(findings.found.map(({ subsite }) => subsite)).toEqual(['results']);
    expect(describeResultCount(findings)).toBe(findings.notOffered);
    expect(describeResultCount(findNeed(services, 'rent a car'))).toMatch(
      /The closest services are below\.$/,
    );
  });

  it.each([
    ['cancel my trailer booking', 'trailer'],
    ['cancel my AC appointment', 'hvac'],
    ['cancelar mi remolque', 'trailer'],
  ])('names the service of an existing request, without its forms first: %s', (query, subsite) => {
    const { found, notOfferedCode } = findNeed(services, query);
    expect({ notOfferedCode, subsites: found.map((entry) => entry.subsite) }).toEqual({
      notOfferedCode: 'answered',
      subsites: ['results', subsite],
    });
  });

  it.each([
    ['plubming', 'not_offered', undefined],
    ['elecrtician to fix my tiolet', 'not_offered', undefined],
    ['cancle my trailer booking', 'answered', 'results'],
    ['vhac repair', undefined, 'hvac'],
  ])('is recognized despite a misspelling: %s', (query, code, subsite) => {
    const { found, notOfferedCode } = findNeed(services, query);
    expect([notOfferedCode, found[0]?.subsite]).toEqual([code, subsite]);
  });

  it.each([
    ['probate attorny', 'probate attorney'],
    ['notry for moms house sale', 'notary for moms house sale'],
    ['unsubcribe newsleter', 'unsubscribe newsletter'],
    ['look aftr my dog', 'look after my dog'],
    ['wepon for sale', 'weapon for sale'],
  ])('is refused alike despite a misspelling: %s', (misspelled, spelled) => {
    const findings = findNeed(services, spelled);
    expect(findings.notOfferedCode).toMatch(/^(?:not_offered|answered)$/);
    expect(findNeed(services, misspelled)).toMatchObject({
      found: findings.found,
      notOffered: findings.notOffered,
    });
  });

  it('is answered in the languages of the question', () => {
    for (const [query, isSpanish] of [
      ['what are your hours', false],
      ['Who are you?', false],
      ['is this a scam', false],
      ['¿Cuál es su horario de atención?', true],
      ['¿Quiénes son ustedes?', true],
      ['quiero comprar un remolque', true],
      ['a que hora abren', true],
      ['a que hora cierran', true],
      ['horario', true],
      ['hablan espanol', true],
      ['aceptan tarjeta', true],
      ['contacto', true],
      ['no me han contestado', true],
      ['lavadora no funciona', true],
      ['comprar remolque', true],
      ['hours', false],
      ['contact info', false],
      ['unsubscribe newsletter', false],
      ['buy a trailer', false],
      ['trailer for sale', false],
      ['speaks spanish', false],
    ] as const) {
      const { answer, spanish } = findUnofferedService(notOffered, query)!;
      expect(spanish, query).toBeDefined();
      expect(findNeed(services, query).notOffered, query).toBe(
        isSpanish ? `${answer} ${spanish}` : answer,
      );
    }
  });

  it('has no Spanish in an answer that everybody gets, but for emergencies', () =>
    expect(
      notOffered
        .filter(({ answer = '', warns }) => !warns && isSpanish(answer.split('. ').at(-1)!))
        .map(({ what }) => what),
    ).toEqual([]));

  it('begins with the plain need that it is for', () =>
    expect(
      notOffered
        .map(({ words: [first] }) => first!)
        .filter((phrase) => /[….]/.test(phrase) || isSpanish(phrase)),
    ).toEqual([]));

  it('leads to estate sales for probate, but not for real estate', () => {
    const find = (query: string) => findNeed(services, query).found.map(({ subsite }) => subsite);
    expect(find('probate attorney')).toEqual(['estate']);
    expect(find('real estate attorney')).toEqual([]);
    expect(find('real estate attorney for closing')).toEqual([]);
    expect(find('notary for real estate closing')).toEqual([]);
  });

  it.each(['buy kayak', 'kayak for sale', 'sold kayak'])('finds an item to buy: %s', (query) => {
    const { found, notOffered } = findNeed(services, query);
    expect([found[0]?.item, notOffered]).toEqual(['sit-on-top-kayak', undefined]);
  });

  it.each([
    ['lead generation', 'agent'],
    ['stackable washer', 'wd'],
    ['sell my homemade cookies', 'sales'],
    ['online store for my cookies', 'sales'],
    ['mudanza', 'moving'],
    ['sacar un refrigerador viejo', 'junk'],
    ['mi refrigerador viejo hay que tirarlo', 'junk'],
    ['tirar un refri viejo', 'junk'],
    ['old fridge needs to be thrown out', 'junk'],
    ['mi lavadora se rompio y quiero alquilar una por mes en Clearwater', 'wd'],
    ['quiero vender mis muebles viejos', 'estate'],
    ['muebles por 6 meses en Tampa', 'kerplunk'],
    ['quiero que alguien me llame sobre comprar casa', 'homes'],
    ['la piscina está verde', 'water'],
    ['trailer to move a sofa and a fridge', 'trailer'],
  ])('finds the right service for “%s”', (query, subsite) => {
    const { found, notOffered } = findNeed(services, query);
    expect([found[0]?.subsite, notOffered]).toEqual([subsite, undefined]);
  });

  it.each([
    ['cancel my washer rental', 'wd'],
    ['stop the newsletter', 'blog'],
    ['cancel my trailer', 'trailer'],
  ])('leaves “%s” to the service', (query, subsite) =>
    expect(findNeed(services, query).found.map((found) => found.subsite)).toContain(subsite),
  );

  it('is overridden by a service with the same words in its title', () => {
    const registry = loadRegistry('registry');
    const [first] = registry.subsites;
    const gutterSubsite = {
      ...first!,
      name: 'gutter-cleaning',
      title: 'Gutter cleaning',
      keywords: [],
    };
    const registryWithGutters = {
      ...registry,
      network: {
        ...network,
        search: {
          ...network.search,
          notOffered: [{ what: 'roofing', words: ['roofer', 'gutters', 'gutter'] }],
        },
      },
    };
    const ask = (query: string, more: typeof subsites) =>
      findNeed(
        createServiceIndex({ ...registryWithGutters, subsites: [...subsites, ...more] }),
        query,
      ).notOffered;
    expect(ask('gutter cleaning', [])).toBe('We don’t do roofing.');
    expect(ask('gutter cleaning', [gutterSubsite])).toBeUndefined();
    expect(ask('a roofer', [gutterSubsite])).toBe('We don’t do roofing.');
  });

  it('may have a limited number of alternatives', () => {
    const parse = (phrase: string) =>
      networkSchema.shape.search.safeParse({ notOffered: [{ what: 'roofing', words: [phrase] }] });
    expect(parse('fix|repair|leaking roof|gutter').success).toBe(true);
    expect(parse('fix| sink').error!.issues[0]!.message).toMatch(/^has an empty alternative/);
    const [issue] = parse(Array(20).fill('a|b').join(' ')).error!.issues;
    expect(issue!.message).toMatch(/^stands for more than 100 phrases/);
  });

  it('needs an answer to warn with', () => {
    const parse = (more: object) =>
      networkSchema.shape.search.safeParse({
        notOffered: [{ what: 'gas leaks', words: ['gas leak'], warns: true, ...more }],
      });
    expect(parse({ answer: 'Leave the house now.' }).success).toBe(true);
    expect(parse({}).error!.issues[0]!).toMatchObject({
      path: ['notOffered', 0, 'warns'],
      message: 'is set without answer. Add answer, or remove warns',
    });
  });

  it('includes nothing that a subsite is for, even if only a part of it has the words', () =>
    expect(
      subsites.filter(
        ({ purpose }) => findNeed(services, purpose).notOfferedCode === 'not_offered',
      ),
    ).toEqual([]));

  it('never matches a title, keyword, or question of a subsite', () => {
    const offeredPhrases = subsites.flatMap(({ title, keywords = [], questions = [] }) => [
      title,
      ...keywords,
      ...questions,
    ]);
    expect(offeredPhrases.filter((words) => findUnofferedService(notOffered, words))).toEqual([]);
  });
});
