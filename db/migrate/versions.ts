import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import * as schema from '../schema'

const [trigger, rule] = ['set_updated_at', 'platform_set_updated_at']

/** Names of the tables whose rows have a version: those with `updatedAt` in the schema. */
export const versionedTables = (): string[] =>
  Object.values(schema).flatMap((table) =>
    is(table, PgTable) && 'updatedAt' in getTableColumns(table) ? [getTableName(table)] : [],
  )

/** Returns those of these tables that have no working trigger, because it is missing or disabled. */
export async function tablesWithoutVersions(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select name from unnest($1::text[]) as name
     where not exists (
       select from pg_trigger t join pg_proc p on p.oid = t.tgfoid
       where t.tgrelid = to_regclass(format('public.%I', name)) and t.tgname = $2 and p.proname = $3 and t.tgenabled in ('O', 'A')
     )`,
    [versionedTables(), trigger, rule],
  )
  return rows.map(({ name }) => name)
}

/**
 * Sets a later time at each write, also if the statement sets another one: at least a millisecond after the previous
 * one, because forms read and send milliseconds.
 */
const createRule = `
create or replace function public.${rule}() returns trigger language plpgsql as $$
begin
  new.updated_at := greatest(
    date_trunc('milliseconds', clock_timestamp()),
    date_trunc('milliseconds', old.updated_at) + interval '1 millisecond'
  );
  return new;
end
$$`

/** Creates the trigger of each table with `updatedAt` in the schema. Existing triggers stay. */
export async function keepVersions(client: pg.ClientBase): Promise<void> {
  await client.query(createRule)
  for (const table of await tablesWithoutVersions(client))
    await client.query(
      `create or replace trigger ${trigger} before update on public.${client.escapeIdentifier(table)}
       for each row execute function public.${rule}()`,
    )
}
