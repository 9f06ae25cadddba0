import { and, getTableColumns, Param, Placeholder, sql, type SQL } from 'drizzle-orm';
import { SQLiteAsyncDialect, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { InValue } from '@libsql/client';

/** Combines conditions with AND; skips undefined conditions. */
export const combineConditions = (first: SQL, ...others: (SQL | undefined)[]): SQL =>
  and(first, ...others) ?? first;

/**
 * `INSERT … SELECT … WHERE`: writes a row only if a condition is true. If all statements in a batch
 * depend on the first row, the batch writes all rows or none, without an interactive transaction. A
 * value may be an SQL expression or a placeholder. With `from`, the statement writes a row for each
 * matching row of that table.
 */
export function insertWhere<T extends SQLiteTable>(
  table: T,
  row: { [Key in keyof T['$inferInsert']]: T['$inferInsert'][Key] | SQL | Placeholder },
  condition: SQL,
  from?: SQLiteTable,
): SQL {
  const columns = Object.entries(getTableColumns(table)).filter(
    ([name]) => row[name as keyof typeof row] !== undefined,
  );
  const names = columns.map(([, column]) => sql.identifier(column.name));
  const values = columns.map(([name, column]) => {
    const value = row[name as keyof typeof row] as unknown;
    return value !== null && typeof value === 'object' && 'queryChunks' in value
      ? (value as SQL)
      : sql.param(value, column as SQLiteColumn);
  });
  return sql`insert into ${table} (${sql.join(names, sql`, `)}) select ${sql.join(values, sql`, `)}${from ? sql` from ${from}` : sql``} where ${condition}`;
}

export interface Statement {
  sql: string;
  args: InValue[];
}

const dialect = new SQLiteAsyncDialect();

/** Values for placeholders named `group.name`. */
export type GroupedValues = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/** Builds the text of a statement once; each use sets the values by placeholder name. */
export function compileStatement(statement: SQL): (values: GroupedValues) => Statement {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  const readers = params.map((param): ((values: GroupedValues) => unknown) => {
    const [placeholder, encode] =
      param instanceof Param
        ? [
            param.value as unknown,
            (value: unknown) => param.encoder.mapToDriverValue(value) as unknown,
          ]
        : [param, (value: unknown) => value];
    if (!(placeholder instanceof Placeholder)) return () => param;
    const [group, name] = (placeholder as Placeholder).name.split('.') as [string, string];
    return (values) => {
      const value = values[group]?.[name];
      return value === null || value === undefined ? null : encode(value);
    };
  });
  return (values) => ({ sql: text, args: readers.map((read) => read(values) as InValue) });
}
