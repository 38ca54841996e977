import { aliasedTable, and, eq, gte, inArray, isNull, lt, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { type CursorParts, cursorPage } from '@/db/cursor'
import { paged } from '@/db/list'
import { history } from '@/db/schema/operations'
import { users } from '@/db/schema/people'
import { applications } from '@/db/schema/platform'
import { found } from '@/db/search'
import { personName } from '@/lib/base/audit/changer'
import type { Referred } from '@/lib/base/audit/entity'
import type { Plain } from '@/lib/base/audit/values'
import type { EntityName } from '@/lib/base/contracts/entity-names.generated'
import { canonicalIp } from '@/lib/base/limits/client-ip'
import { dayBegins } from '@/lib/base/text/time-zone'
import type { HistoryInput, KnownChanger, WholeHistoryInput } from './contract'
import { type Block, recordedAs } from './fields'
import { selectNamed } from './names'
import type { Seen } from './own'

type Row = {
  field: string
  previous: Plain
  current: Plain
  previousLength: number | null
  currentLength: number | null
}

const newer = aliasedTable(history, 'newer')
const older = aliasedTable(history, 'older')
const part = aliasedTable(history, 'part')

type History = typeof history
const sameObject = (a: History, b: History) => sql`${a.entity} = ${b.entity} and ${a.entityId} = ${b.entityId}`
/** Rows of one act were inserted at once. */
const sameAct = (a: History, b: History) =>
  sql`(${a.date} = ${b.date} and ${a.type} = ${b.type} and ${a.requestId} is not distinct from ${b.requestId}
    and ${a.changerId} is not distinct from ${b.changerId})`

/** Whether a row is the newest of its act. It looks at the row above it alone, so no other act is read. */
const isNewest = sql`coalesce((select not ${sameAct(newer, history)} from ${history} newer
  where ${sameObject(newer, history)} and ${newer.id} > ${history.id} order by ${newer.id} limit 1), true)`

/** The newest row below an act. */
const below = sql`coalesce((select ${older.id} from ${history} older
  where ${sameObject(older, history)} and ${older.id} < ${history.id} and not ${sameAct(older, history)}
  order by ${older.id} desc limit 1), 0)`

/** Whether a row belongs to the act. */
const partOfAct = sql`${sameObject(part, history)} and ${part.id} <= ${history.id} and ${part.id} > ${below}`

export const changer = {
  changerId: history.changerId,
  person: personName,
  login: users.login,
  application: applications.name,
}

/** Characters of a text, and of the JSON of anything else, that are read; the rest of a longer value stays there. */
const longest = { text: 4_000, json: 64_000 }

const textIn = (value: SQL) =>
  sql`(case when jsonb_typeof(${value}) = 'string' then ${value} #>> '{}' else ${value}::text end)`
const tooLong = (value: SQL) =>
  sql`length(${textIn(value)}) > case when jsonb_typeof(${value}) = 'string' then ${longest.text}::int else ${longest.json}::int end`
export const cut = (value: SQL) =>
  sql`case when ${tooLong(value)} then to_jsonb(left(${textIn(value)}, ${longest.text}::int)) else ${value} end`
export const lengthOf = (value: SQL) => sql`case when ${tooLong(value)} then length(${textIn(value)}) end`

/** Whether the reader sees a change of this field; without `seen` they see all. */
const isSeen = (field: SQLWrapper, seen: Seen | undefined) =>
  seen
    ? sql`(${field} = any(${sql.param(seen.names)}::text[]) or ${field} like any(${sql.param(seen.patterns)}::text[]))`
    : sql`true`

const fieldsSeen = (seen: Seen | undefined) => sql<Row[]>`(select coalesce(jsonb_agg(jsonb_build_object(
    'field', ${part.field},
    'previous', ${cut(sql`${part.previous}`)}, 'previousLength', ${lengthOf(sql`${part.previous}`)},
    'current', ${cut(sql`${part.current}`)}, 'currentLength', ${lengthOf(sql`${part.current}`)}
  ) order by ${part.id}), '[]')
  from ${history} part
  where ${partOfAct} and ${part.field} is not null and ${isSeen(part.field, seen)})`

/** Whether the reader sees anything of an act: one of its changes, or that it took place, if it changed no field. */
const actIsSeen = (seen: Seen | undefined) =>
  seen &&
  sql`(${history.field} is null
    or exists (select from ${history} part where ${partOfAct} and ${isSeen(part.field, seen)}))`

/** Reads acts with their changes, and who acted. The changes of skipped acts are not read. */
async function actRows(parts: CursorParts, seen?: Seen) {
  if (parts.offset === 0) return actsWithChanges(parts, seen)
  const page = await paged(db().select({ id: history.id }).from(history).$dynamic(), parts)
  const ids = page.map(({ id }) => id)
  return ids.length === 0 ? [] : actsWithChanges({ ...parts, where: inArray(history.id, ids), offset: 0 }, seen)
}

const actsWithChanges = ({ keys, ...parts }: CursorParts, seen?: Seen) =>
  paged(
    db()
      .select({
        keys,
        id: history.id,
        entity: history.entity,
        entityId: history.entityId,
        type: history.type,
        date: history.date,
        ip: history.ip,
        ...changer,
        fields: fieldsSeen(seen),
      })
      .from(history)
      .leftJoin(users, eq(users.id, history.changerId))
      .leftJoin(applications, eq(applications.id, history.changerId))
      .$dynamic(),
    parts,
  )

/**
 * Reads one page of the acts on an object, the newest first, each with its changes; long values are cut. Reads no rows
 * but those of the page. With `seen` no other change is returned, counted or found.
 */
export const selectActs = (
  { entity, id }: { entity: string; id: string },
  query: HistoryInput,
  {
    pageSize,
    caller,
    timeZone,
    seen,
  }: { pageSize: number | null; caller: string; timeZone: string; seen?: Seen | undefined },
) => {
  const own = and(eq(history.entity, entity), eq(history.entityId, id), isNewest, actIsSeen(seen))
  return cursorPage(
    query,
    pageSize,
    {
      list: `history ${JSON.stringify([entity, id])}`,
      caller,
      sorts: { date: history.id },
      tie: history.id,
      total: 'none',
      filters: {
        changer: (who) => (who === 'platform' ? isNull(history.changerId) : eq(history.changerId, who)),
        type: (type) => eq(history.type, type),
        field: (code) =>
          sql`exists (select from ${history} part where ${partOfAct} and ${inArray(part.field, recordedAs(code))}
            and ${isSeen(part.field, seen)})`,
        dateFrom: (day) => gte(history.date, dayBegins(day, timeZone)),
        dateTo: (day) => lt(history.date, dayBegins(day, timeZone, 1)),
      },
    },
    {
      rows: ({ where, ...parts }) => actRows({ ...parts, where: and(own, where) }, seen),
      count: async () => 0,
    },
  )
}

/** What a reader of the whole history sees: entities, and which fields of theirs not. */
export type Scope = { entities: EntityName[]; hidden: { entity: EntityName; fields: string[] }[] }

/** Objects and people that a search names, at most 200 of a kind, and the ids of the rows about them, unless there are many. */
export type Found = {
  text: string
  changers: string[]
  objects: { entity: EntityName; ids: string[] }[]
  rows: number[] | null
}

export type Reading = {
  pageSize: number | null
  caller: string
  timeZone: string
  scope: Scope
  blocks: readonly Block[]
  found: Found | null
}

export const isHidden = (of: History, { hidden }: Scope) =>
  sql`(${of.field} is not null and ${
    or(...hidden.map(({ entity, fields }) => and(eq(of.entity, entity), inArray(of.field, fields)))) ?? sql`false`
  })`

/** Each part names the entity or the changer, so that it has an index of its own. */
const concerns = ({ text, changers, objects, rows }: Found, { entities }: Scope) =>
  rows
    ? sql`${history.id} = any(${sql.param(rows)}::bigint[])`
    : or(
        and(inArray(history.entity, entities), eq(history.entityId, text)),
        inArray(history.changerId, changers),
        ...objects.map(({ entity, ids }) => and(eq(history.entity, entity), inArray(history.entityId, ids))),
      )

/** Whether a field is of a block: of the one that was recorded with it, or else of that which it is in now. */
function inBlock(of: History, code: string, blocks: readonly Block[]): SQL {
  const now = blocks
    .filter((block) => block.code === code)
    .map(({ entity, fields }) => and(isNull(of.subtype), eq(of.entity, entity), inArray(of.field, fields)))
  return or(eq(of.subtype, code), ...now) ?? sql`false`
}

/** The rules of a list of the whole history; `holds` says how a row, or its act, satisfies a condition on a field. */
export const wholeRules = (
  list: string,
  { caller, timeZone, scope, blocks, found }: Reading,
  holds: (of: SQL) => SQL,
  field: History,
) => ({
  list,
  caller,
  sorts: { date: history.date },
  tie: history.id,
  total: 'none' as const,
  filters: {
    search: () => (found ? concerns(found, scope) : undefined),
    param: (code: string) => holds(inArray(field.field, recordedAs(code))),
    subtype: (code: string) => holds(inBlock(field, code, blocks)),
    changer: (who: string) => (who === 'platform' ? isNull(history.changerId) : eq(history.changerId, who)),
    entity: (entities: string[]) => inArray(history.entity, entities),
    type: (types: History['$inferSelect']['type'][]) => inArray(history.type, types),
    // addresses are stored in one spelling
    ip: (ip: string) => eq(history.ip, canonicalIp(ip) ?? ip),
    dateFrom: (day: string) => gte(history.date, dayBegins(day, timeZone)),
    dateTo: (day: string) => lt(history.date, dayBegins(day, timeZone, 1)),
  },
})

/** Up to so many rows that a search finds are read whole. Of more a page is full soon. */
export const readWhole = { rows: 2_000 }

/**
 * Returns the ids of the rows about what a search names; null if there are many. It looks up each object and each person
 * by itself: what PostgreSQL expects of all of them together may be far from what is there, and then it reads everything.
 */
export async function selectRowsAbout(
  { text, changers, objects }: Omit<Found, 'rows'>,
  { entities }: Scope,
): Promise<number[] | null> {
  const limit = readWhole.rows + 1
  const each = (ids: readonly string[]) => sql`unnest(${sql.param([...ids])}::text[]) one (id)`
  const ofObject = (entity: SQL, id: SQL) => sql`(select h.id from ${history} h
    where h.entity = ${entity} and h.entity_id = ${id} order by h.id desc limit ${limit})`
  const parts = [
    sql`select h.id from ${each(entities)} cross join lateral ${ofObject(sql`one.id`, sql`${text}`)} h`,
    sql`select h.id from ${each(changers)} cross join lateral (select h.id from ${history} h
      where h.changer_id = one.id::uuid order by h.date desc, h.id desc limit ${limit}) h`,
    ...objects.flatMap(({ entity, ids }) =>
      ids.length > 0
        ? sql`select h.id from ${each(ids)} cross join lateral ${ofObject(sql`${entity}`, sql`one.id`)} h`
        : [],
    ),
  ]
  const { rows } = await db().execute<{ id: string }>(
    sql`select id from (${sql.join(parts, sql` union all `)}) h limit ${limit}`,
  )
  return rows.length < limit ? rows.map(({ id }) => Number(id)) : null
}

/** Reads one page of the acts on all objects that the reader sees, the newest first, each with its changes. */
export const selectAllActs = (query: WholeHistoryInput, reading: Reading) => {
  const { scope, pageSize } = reading
  const shown = (condition: SQL) =>
    sql`exists (select from ${history} part where ${partOfAct} and ${condition} and not ${isHidden(part, scope)})`
  // an act that changed hidden fields alone isn't seen either
  const anythingSeen = scope.hidden.length > 0 ? or(isNull(history.field), shown(sql`true`)) : undefined
  const own = and(inArray(history.entity, scope.entities), isNewest, anythingSeen)
  return cursorPage(query, pageSize, wholeRules('whole history, acts', reading, shown, part), {
    rows: ({ where, ...parts }) => actRows({ ...parts, where: and(own, where) }),
    count: async () => 0,
  })
}

/**
 * Returns whom and what a text names, among these kinds. `people` says whether who acted is found by name, `logins`
 * whether by login too.
 */
export async function selectFound(
  text: string,
  kinds: ReadonlyMap<EntityName, Referred>,
  { people, logins }: { people: boolean; logins: boolean },
): Promise<Omit<Found, 'rows'>> {
  const byName = (kind: Referred) => selectNamed(kind, text)
  const byPerson = () => selectNamed('users', text, { logins })
  const [persons, programs, ...objects] = await Promise.all([
    people ? byPerson() : [],
    byName('applications'),
    ...[...kinds].map(async ([entity, kind]) => ({
      entity,
      ids: await (kind === 'users' ? byPerson() : byName(kind)),
    })),
  ])
  return { text, changers: [...persons, ...programs], objects }
}

/**
 * Returns who acted on an object, by name, 50 at most: those whose name contains a text, or the one with an id. `names`
 * says of whom the caller learns the name and the login; others have their id. Each is one step in an index, however
 * often they acted.
 */
export async function selectChangers(
  { entity, id }: { entity: string; id: string },
  { text, only, seen }: { text?: string | undefined; only?: string | undefined; seen?: Seen | undefined },
  names: { ofPeople: boolean; logins: boolean; self: string | null },
): Promise<KnownChanger[]> {
  const next = (beyond: SQL) => sql`(select h.changer_id from ${history} h
    where h.entity = ${entity} and h.entity_id = ${id} and h.changer_id is not null ${beyond}
    and (h.field is null or ${isSeen(sql`h.field`, seen)})
    order by h.changer_id limit 1)`
  const own = sql`${users.id} = ${names.self}`
  const name = sql`coalesce(${applications.name}, case when ${names.ofPeople} or ${own} then ${personName} end,
    case when ${names.logins} or ${own} then ${users.login} end, changer.id::text)`
  const { rows } = await db().execute<KnownChanger>(sql`
    with recursive changer (id) as (
      ${next(only ? sql`and h.changer_id = ${only}` : sql``)}
      union all
      select ${next(sql`and h.changer_id > changer.id`)} from changer where changer.id is not null and ${only === undefined}
    )
    select changer.id, ${name} as name from changer
      left join ${users} on ${users.id} = changer.id
      left join ${applications} on ${applications.id} = changer.id
    where changer.id is not null ${text ? sql`and ${found(text, [name])}` : sql``}
    order by ${name}, changer.id limit 50`)
  return rows
}

/** Acts among which those who acted last are looked for. */
const recentActs = 2_000

/**
 * Returns up to 50 people and applications that acted at all: whose name contains a text, the one with an id, or those
 * who acted last. Those whose name the caller may not learn are left out.
 */
export async function selectAnyChangers(
  { text, only }: { text?: string | undefined; only?: string | undefined },
  { ofPeople, logins }: { ofPeople: boolean; logins: boolean },
): Promise<KnownChanger[]> {
  const recent = sql`select changer_id from ${history} order by date desc, id desc limit ${recentActs}::int`
  const acted = (id: SQLWrapper) => {
    const ever = sql`exists (select from ${history} h where h.changer_id = ${id})`
    if (only) return sql`${id} = ${only} and ${ever}`
    return text ? ever : sql`${id} in (${recent})`
  }
  const named = (name: SQLWrapper) => (text ? found(text, [name]) : sql`true`)
  const personal = sql`coalesce(${personName}, case when ${logins} then ${users.login} end)`
  const { rows } = await db().execute<KnownChanger>(sql`
    select id, name from (
      (select ${users.id} as id, ${personal} as name from ${users}
        where ${ofPeople} and (${named(users.fio)} or ${logins} and ${named(users.login)})
          and ${personal} is not null and ${acted(users.id)} limit 50)
      union all
      (select ${applications.id}, ${applications.name} from ${applications}
        where ${named(applications.name)} and ${acted(applications.id)} limit 50)
    ) changer order by name, id limit 50`)
  return rows
}
