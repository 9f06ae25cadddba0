import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findMessageFaults } from '../../src/leads/conversation/customer-message.ts';
import { problemCodes } from '../../src/site/problem-codes.ts';
import { networks } from './networks.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'openapi-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Output of a linter from node_modules/.bin, whether it passes or fails. */
function lint(program: string, ...args: string[]): string {
  try {
    return execFileSync(join('node_modules/.bin', program), args, {
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

describe.each(networks)('the OpenAPI document of $name', ({ text, json, documents, site }) => {
  const document = json('/api/openapi.json');
  const allOperations = Object.entries<any>(document.paths).flatMap(([path, item]) =>
    Object.entries<any>(item).map(([method, operation]) => ({ path, method, operation })),
  );
  const write = (name: string, body: string) => {
    const file = join(folder, name);
    writeFileSync(file, body);
    return file;
  };

  it('passes Redocly’s recommended-strict rules', () => {
    const report = JSON.parse(
      lint(
        'redocly',
        'lint',
        '--extends=recommended-strict',
        '--format=json',
        write('openapi.json', text('/api/openapi.json')),
      ),
    );
    // Operations declare no requirement, so the security scheme
    // is unused.
    expect(
      report.problems.map(
        (problem: any) => `${problem.ruleId}: ${problem.message} ${problem.location?.[0]?.pointer}`,
      ),
    ).toEqual([
      'no-unused-components: Security scheme: "bearer" is never used. #/components/securitySchemes/bearer',
    ]);
  });

  it('passes Spectral’s OpenAPI rules', () => {
    const rules = write('rules.yaml', 'extends: ["spectral:oas"]\n');
    const found = lint(
      'spectral',
      'lint',
      '--quiet',
      '--format=json',
      '--ruleset',
      rules,
      write('openapi.json', text('/api/openapi.json')),
    );
    expect(JSON.parse(found)).toEqual([]);
  });

  it('declares no security requirement', () => {
    expect(document.security).toEqual([]);
    expect(document.components.securitySchemes).toEqual({
      bearer: expect.objectContaining({ type: 'http', scheme: 'bearer' }),
    });
    expect(allOperations.filter(({ operation }) => operation.security !== undefined)).toEqual([]);
  });

  it('explains how to send a key for each operation that needs one, with samples', () => {
    // Lead operations need a key only for a callback, whose description says so; A2A needs a key
    // only for push notifications.
    const keyedOperations = allOperations.filter(
      ({ operation: { responses, requestBody } }) =>
        responses[401] && !requestBody?.content['application/x-www-form-urlencoded'],
    );
    expect(keyedOperations.length).toBeGreaterThan(4);
    for (const { path, operation } of keyedOperations)
      expect(operation.description, path).toContain('Authorization: Bearer <API_KEY>');
    for (const { path, operation } of keyedOperations.filter(
      ({ path }) => !path.startsWith('/a2a'),
    ))
      for (const { source } of operation['x-codeSamples'])
        expect(source, path).toMatch(/Authorization"?: "?Bearer <API_KEY>/);
  });

  it('says what a rejected form gets without declaring text in place of a problem, and describes the requirements that only forms have', () => {
    const forms = allOperations.filter(
      ({ operation }) => operation.requestBody?.content['application/x-www-form-urlencoded'],
    );
    expect(forms.length).toBeGreaterThan(1);
    for (const { path, operation } of forms) {
      for (const [status, { content, description }] of Object.entries<any>(operation.responses)) {
        if (Number(status) < 400) continue;
        expect(Object.keys(content), `${path} ${status}`).toEqual(['application/problem+json']);
        expect(description.includes('An HTML form gets'), path).toBe(status !== '415');
      }
      const { description } =
        operation.requestBody.content['application/x-www-form-urlencoded'].schema;
      if (path === '/api/lead/action')
        expect(description).toMatch(/a form requires a phone number or an email address/);
      if (path === '/api/email-capture') expect(description).toMatch(/data\.question/);
    }
  });

  it('has exactly one alternative for each message about a request that the server accepts', () => {
    const { requestBody } = document.paths['/api/lead/{receipt}/messages'].post;
    const { schema } = requestBody.content['application/json'];
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    ajv.addSchema(document, 'openapi');
    const validators = schema.oneOf.map(({ $ref }: any) => ajv.compile({ $ref: `openapi${$ref}` }));
    for (const action of [{ accept: 'a1' }, { decline: 'a1' }, { withdraw: true }, {}])
      for (const more of [{}, { text: 'Yes' }, { accept: 'a2', decline: 'a2' }, { other: 1 }]) {
        const body = { ...action, ...more };
        const matchingCount = validators.filter((validate: any) => validate(body)).length;
        expect(matchingCount, JSON.stringify(body)).toBe(findMessageFaults(body).length ? 0 : 1);
      }
  });

  it('describes the entries of every list', () => {
    const incompleteOperations: string[] = [];
    const visit = (value: any, place: string): void => {
      if (typeof value !== 'object' || value === null) return;
      if (value.type === 'array' && !value.items && !value.prefixItems)
        incompleteOperations.push(place);
      for (const [name, inner] of Object.entries(value)) visit(inner, `${place}/${name}`);
    };
    visit(document.components.schemas, '');
    expect(incompleteOperations).toEqual([]);
  });

  it('sets sandbox: true in every example of a lead', () => {
    const leads = allOperations.filter(
      ({ path, operation }) => operation.responses[303] && !path.includes('{receipt}'),
    );
    expect(leads.length).toBeGreaterThan(1);
    for (const { path, operation } of leads)
      for (const [name, { value }] of Object.entries<any>(
        operation.requestBody.content['application/json'].examples,
      ))
        expect([path, name, value.sandbox]).toEqual([path, name, true]);
  });

  it('describes receipts in general, without the text of a particular receipt', () => {
    expect(document.info.description).toContain(site.registry.network.description);
    expect(document.info.description).not.toContain(site.registry.network.leadNotice);
  });

  it('describes every operation and gives it a unique name', () => {
    expect(
      allOperations.filter(
        ({ operation }) =>
          !operation.summary || !operation.description || operation.tags?.length !== 1,
      ),
    ).toEqual([]);
    const ids = allOperations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has an example of every request body and every response', () => {
    const incompleteOperations = allOperations.flatMap(({ path, method, operation }) =>
      [['request', operation.requestBody] as const, ...Object.entries<any>(operation.responses)]
        .filter(([part]) => part !== 'default')
        .flatMap(([part, body]) =>
          Object.entries<any>(body?.content ?? {})
            .filter(
              ([type, content]) =>
                !type.includes('form') &&
                content.example === undefined &&
                content.examples === undefined,
            )
            .map(([type]) => `${method} ${path} ${part} ${type}`),
        ),
    );
    expect(incompleteOperations).toEqual([]);
  });

  it('accepts a contract only where an action has one, and gives no example of a precondition, which would fail', () => {
    const listMembers = (schema: any): string[] =>
      schema?.$ref
        ? listMembers(document.components.schemas[schema.$ref.split('/').at(-1)])
        : [
            ...Object.keys(schema?.properties ?? {}),
            ...(schema?.oneOf ?? []).flatMap((branch: any) => listMembers(branch)),
          ];
    const dedicatedPaths = site.registry.subsites
      .filter(({ actions }) => !actions.length)
      .map(({ leadEndpoint }) => leadEndpoint)
      .filter((path) => path !== '/api/email-capture');
    const takers = allOperations.flatMap(({ path, method, operation }) => {
      const parameter = operation.parameters?.find(({ name }: any) => name === 'If-Match');
      expect(parameter?.example ?? parameter?.examples, `${method} ${path}`).toBeUndefined();
      const { schema } = operation.requestBody?.content['application/json'] ?? {};
      const isContract = /contract/.test(parameter?.description ?? '');
      expect(listMembers(schema).includes('contract'), `${method} ${path}`).toBe(isContract);
      return isContract ? [path] : [];
    });
    expect(takers).toContain('/api/lead/action');
    expect(takers.filter((path) => dedicatedPaths.includes(path))).toEqual([]);
  });

  it('lists only existing problem codes, each with its status', () => {
    for (const { path, method, operation } of allOperations)
      for (const [status, answer] of Object.entries<any>(operation.responses)) {
        const content = answer.content?.['application/problem+json'];
        if (status === 'default' || Number(status) < 400) continue;
        // Protocol endpoints have their own errors, which test/transports/protocol-faults covers.
        if (operation.tags[0] === 'Protocols' && answer.content['application/json']) continue;
        expect(content?.schema, `${method} ${path} ${status}`).toEqual({
          $ref: '#/components/schemas/Problem',
        });
        for (const code of Object.keys(content.examples))
          expect(
            String(problemCodes[code as keyof typeof problemCodes].status),
            `${method} ${path} ${code}`,
          ).toBe(status);
      }
  });

  it('uses only formats that JSON Schema defines', () => {
    const named = [...text('/api/openapi.json').matchAll(/"format":"([^"]+)"/g)].map(
      (match) => match[1]!,
    );
    expect(
      [...new Set(named)].filter(
        (format) => !['date', 'date-time', 'email', 'uri'].includes(format),
      ),
    ).toEqual([]);
    expect(named.length).toBeGreaterThan(0);
  });

  it('has schemas that match the actual documents', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    formats.default(ajv);
    ajv.addSchema(document, 'openapi');
    const checked = allOperations.flatMap(({ path, method, operation }) => {
      const schema =
        operation.responses[200]?.content?.[documents.get(path)?.mediaType ?? '']?.schema;
      if (method !== 'get' || !schema) return [];
      const pointer = `openapi#/paths/${encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'))}/get/responses/200/content/${encodeURIComponent(documents.get(path)!.mediaType.replaceAll('/', '~1'))}/schema`;
      const valid = ajv.validate(
        schema.$ref ? { $ref: `openapi${schema.$ref}` } : { $ref: pointer },
        json(path),
      );
      return valid ? [`${path} fits`] : [`${path}: ${ajv.errorsText()}`];
    });
    const matchingCount = [...documents.values()]
      .filter(({ path, mediaType }) => document.paths[path] && mediaType.includes('json'))
      .map(({ path }) => `${path} fits`);
    expect(checked.sort()).toEqual(matchingCount.sort());
    for (const { name } of site.registry.subsites) {
      expect(
        ajv.validate(
          { $ref: 'openapi#/components/schemas/SubsiteRecord' },
          json(`/api/agent/${name}`),
        ),
        ajv.errorsText(),
      ).toBe(true);
      expect(
        ajv.validate(
          { $ref: 'openapi#/components/schemas/SubsiteRecordWithData' },
          json(`/api/agent/${name}.data`),
        ),
        ajv.errorsText(),
      ).toBe(true);
    }
  });
});
