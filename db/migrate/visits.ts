import type pg from 'pg'

/** How many accounts one statement reads. */
const batchSize = 5_000

/** Returns whether accounts from before the table of visits have no row there yet. */
export async function lacksVisits(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ lacking: boolean }>(
    `select exists (select from users u where not exists (select from user_visits v where v.user_id = u.id)) as lacking`,
  )
  return rows[0]?.lacking === true
}

/**
 * Gives a row of visits to each account that has none, from its sessions. A batch holds its accounts no longer than
 * until it is stored, and keeps nobody from changing them. Triggers write the rows of later accounts.
 */
export async function fillVisits(client: pg.ClientBase): Promise<void> {
  // the migrations of an older version don't create it
  const { rows: tables } = await client.query(`select from pg_class where oid = to_regclass('public.user_visits')`)
  if (tables.length === 0 || !(await lacksVisits(client))) return
  for (let last: string | undefined = '00000000-0000-0000-0000-000000000000'; last !== undefined; ) {
    const { rows }: { rows: { id: string }[] } = await client.query(
      `with batch as (select id from users where id > $1 order by id limit ${batchSize} for key share),
        filled as (
          insert into user_visits (user_id, visited_at)
          select id, coalesce((select max(s.last_access_at) from sessions s where s.user_id = batch.id), '-infinity')
          from batch where not exists (select from user_visits v where v.user_id = batch.id)
          on conflict do nothing
        )
      select id from batch order by id desc limit 1`,
      [last],
    )
    last = rows[0]?.id
  }
}
