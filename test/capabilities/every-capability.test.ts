import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capabilityCatalogOf } from '../../src/capabilities/capability-catalog.ts';
import type { ActiveKey } from '../../src/operation/operation.ts';
import { Problem } from '../../src/operation/problem.ts';
import { requestQuote } from '../../src/capabilities/request-quote.ts';
import { runCapability } from '../../src/capabilities/run-capability.ts';
import type { CapabilityRecord } from '../../src/site/capability-record.ts';
import { makeKey, makeFixture, performOperation, site, type Fixture } from './fixture.ts';

const capabilities = [...capabilityCatalogOf(site).values()];
const exampleOf = ({ inputSchema }: CapabilityRecord) =>
  (inputSchema['examples'] as [Record<string, unknown>])[0];

type Schema = {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  enum?: string[];
  maxLength?: number;
  minLength?: number;
  maxItems?: number;
  items?: Schema;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
};

/** Applies a change at one path in a copied object. */
function changed(
  input: Record<string, unknown>,
  path: readonly string[],
  change: (parentObject: Record<string, unknown>, name: string) => void,
): Record<string, unknown> {
  const copy = structuredClone(input);
  const parentObject = path
    .slice(0, -1)
    .reduce<Record<string, unknown>>(
      (parent, step) => (parent[step] ??= {}) as Record<string, unknown>,
      copy,
    );
  change(parentObject, path.at(-1)!);
  return copy;
}

interface FaultCase {
  fault: string;
  pointer: string;
  input: Record<string, unknown>;
}

/** Inputs that each violate one keyword of an input schema. */
function faultsOf(
  schema: Schema,
  input: Record<string, unknown>,
  path: readonly string[] = [],
): FaultCase[] {
  const pointerTo = (steps: readonly string[]) =>
    `/input${steps.map((step) => `/${step}`).join('')}`;
  const createFaultCase = (fault: string, steps: readonly string[], value: unknown): FaultCase => ({
    fault,
    pointer: pointerTo(steps),
    input: changed(input, steps, (parentObject, name) => void (parentObject[name] = value)),
  });
  const memberCases = Object.entries(schema.properties ?? {}).flatMap(
    ([name, part]): FaultCase[] => {
      const steps = [...path, name];
      const cases = [
        createFaultCase('another type', steps, part.type === 'boolean' ? 'yes' : true),
      ];
      if (schema.required?.includes(name))
        cases.push({
          fault: 'missing',
          pointer: pointerTo(steps),
          input: changed(input, steps, (parentObject, key) => void delete parentObject[key]),
        });
      if (part.enum) cases.push(createFaultCase('not in the list', steps, 'none-of-these'));
      if (part.maxLength !== undefined)
        cases.push(createFaultCase('too long', steps, 'x'.repeat(part.maxLength + 1)));
      if (part.minLength !== undefined)
        cases.push(createFaultCase('too short', steps, 'x'.repeat(part.minLength - 1)));
      if (part.pattern !== undefined) cases.push(createFaultCase('another pattern', steps, ' '));
      if (part.format !== undefined)
        cases.push(createFaultCase('another format', steps, 'no such thing'));
      if (part.maximum !== undefined)
        cases.push(createFaultCase('too great', steps, part.maximum + 1));
      if (part.minimum !== undefined)
        cases.push(createFaultCase('too small', steps, part.minimum - 1));
      if (part.maxItems !== undefined)
        cases.push(
          createFaultCase(
            'too many',
            steps,
            Array.from({ length: part.maxItems + 1 }, () => 'https://example.com/'),
          ),
        );
      if (part.items)
        cases.push({
          ...createFaultCase('a bad entry', steps, ['no such thing']),
          // An array that may also be sent as text is checked as a whole.
          pointer: part.type === 'array' ? `${pointerTo(steps)}/0` : pointerTo(steps),
        });
      return [...cases, ...(part.properties ? faultsOf(part, input, steps) : [])];
    },
  );
  return [createFaultCase('an unknown name', [...path, 'unknown_name'], 'x'), ...memberCases];
}

describe('every capability', () => {
  let fixture: Fixture;
  let key: ActiveKey;
  beforeAll(async () => {
    fixture = await makeFixture();
    key = await makeKey(fixture, ['*'], '100.00');
  });
  afterAll(() => fixture.close());

  it('is one of the 57 capabilities in the catalog', () => {
    expect(capabilities).toHaveLength(57);
  });

  it.each(capabilities)('$id runs as a task with its example', async (capability) => {
    const { output, status } = await performOperation(
      runCapability,
      {
        capability: capability.id,
        input: exampleOf(capability),
        maxAmount: '50.00',
        idempotencyKey: `an-example-of-${capability.id}`,
      },
      key,
      fixture,
    );
    const free = capability.pricing.kind === 'free';
    expect(status).toBeUndefined();
    expect(output).toMatchObject({
      capability: capability.id,
      status: free ? 'completed' : 'failed',
      charge: { amount: '0.00', currency: 'USD' },
    });
    if (!free)
      expect(output.error).toMatchObject({
        code: 'provider_unavailable',
        detail: expect.stringContaining('Nothing was charged.'),
      });
    else if (capability.adapter === 'inquiry')
      expect(output.result).toMatchObject({
        receiptToken: expect.stringMatching(/^.{21}$/),
        subsite: capability.subsite,
        action: capability.action,
      });
    else
      expect(output.result).toMatchObject({
        answer: expect.stringMatching(/\S/),
        limitations: capability.limitations,
      });
  });

  it.each(capabilities)('$id is quoted at its own price', async (capability) => {
    const { output } = await performOperation(
      requestQuote,
      { capability: capability.id, input: exampleOf(capability) },
      key,
      fixture,
    );
    const sum = output.breakdown.reduce(
      (total, line) => total + Math.round(Number(line.amount) * 100),
      0,
    );
    expect(output).toMatchObject({
      capability: capability.id,
      status: 'open',
      currency: 'USD',
      amount: (sum / 100).toFixed(2),
    });
    expect(sum > 0).toBe(capability.pricing.kind === 'quote');
  });

  it.each(capabilities)('$id reports any single error at its field', async (capability) => {
    const cases = faultsOf(capability.inputSchema as Schema, exampleOf(capability));
    expect(cases.length).toBeGreaterThan(1);
    for (const { fault, pointer, input } of cases)
      for (const operation of [runCapability, requestQuote]) {
        const refused = await performOperation<unknown, unknown>(
          operation as never,
          { capability: capability.id, input },
          key,
          fixture,
        ).then(
          () => undefined,
          (error: unknown) => error,
        );
        expect(refused, `${fault} at ${pointer}`).toBeInstanceOf(Problem);
        expect((refused as Problem).code, `${fault} at ${pointer}`).toBe('invalid_input');
        expect(
          (refused as Problem).errors!.map((error) => error.pointer),
          `${fault} at ${pointer}`,
        ).toEqual([pointer]);
      }
  });

  it.each(capabilities)('$id is refused for a key without its scope', async (capability) => {
    const scopes = capabilities.map(({ id }) => id).filter((id) => id !== capability.id);
    const keyWithoutScope = { ...key, scopes };
    for (const operation of [runCapability, requestQuote]) {
      const refused = performOperation<unknown, unknown>(
        operation as never,
        { capability: capability.id, input: exampleOf(capability) },
        keyWithoutScope,
        fixture,
      );
      await expect(refused).rejects.toMatchObject({
        code: 'insufficient_scope',
        headers: { 'www-authenticate': expect.stringContaining(`scope="${capability.id}"`) },
      });
    }
  });
});
