import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: [
    './db/schema.ts',
    './db/schema-effects.ts',
    './db/schema-capabilities.ts',
    './db/schema-deliveries.ts',
    './db/schema-a2a.ts',
    './db/schema-budgets.ts',
    './db/schema-contracts.ts',
    './db/schema-links.ts',
  ],
  out: './db/migrations',
});
