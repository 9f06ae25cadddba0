import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { stringify } from 'yaml';
import { NETWORK_TOOLS } from '../registry/rules/references.ts';
import { key } from '../registry/text.ts';

/** A record that passes the check as it stands, for an operator to fill in. `today` is YYYY-MM-DD. */
function startingSubsite(name: string, today: string): string {
  const title = name.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());
  const record = {
    name,
    title,
    purpose: `What a person gets from ${title}, in one sentence.`,
    url: `/${name}`,
    schemaType: 'Service',
    jsonEndpoints: [],
    leadEndpoint: '/api/lead/action',
    leadSource: name,
    shareEndpoint: '/api/share',
    mcpTools: [...NETWORK_TOOLS].sort(),
    category: 'product',
    status: 'public',
    updated: today,
    questions: [`Who offers ${title}?`, `What does ${title} cost?`],
    actions: [
      {
        verb: `request_${name.replaceAll('-', '_')}_quote`,
        title: 'Request a quote',
        description: 'Asks for a quote; the provider answers by phone or mail.',
        respondWithinHours: 24,
        retentionDays: 365,
        fields: {
          zip: { type: 'zip', required: true, description: 'ZIP code of the place of service.', example: '33701' },
          notes: { type: 'string', required: false, description: 'What is needed.', example: 'A few words about the job.' },
        },
      },
    ],
  };
  return `# yaml-language-server: $schema=../schema/subsite.json\n${stringify(record, { lineWidth: 120 })}`;
}

const program = new Command('npm run new --').description('Writes a starting record into the registry.');
program
  .command('subsite')
  .description('Writes registry/subsites/<name>.yaml, a record that passes the check, to be filled in.')
  .argument('<name>', 'short key: lower case letters, digits and hyphens')
  .option('--registry <folder>', 'registry folder', 'registry')
  .addHelpText('after', '\nExample:\n  npm run new -- subsite gutter-cleaning')
  .action((name: string, { registry }: { registry: string }) => {
    const file = join(registry, 'subsites', `${name}.yaml`);
    const fault = !key.safeParse(name).success
      ? 'The name is not a key. Use lower case letters, digits and single hyphens.'
      : existsSync(file) || existsSync(file.replace(/yaml$/, 'json'))
        ? `${file} exists already. Choose another name or edit that file.`
        : undefined;
    if (fault) {
      process.stderr.write(`${fault}\n`);
      process.exitCode = 1;
      return;
    }
    writeFileSync(file, startingSubsite(name, new Date().toISOString().slice(0, 10)));
    process.stdout.write(`Wrote ${file}. Fill it in, then run npm run check.\n`);
  });
await program.parseAsync();
