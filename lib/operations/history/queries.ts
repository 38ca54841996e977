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
import { type Block, recordedNames } from './fields'
import { selectIdsByName } from './names'
import type { VisibleFields } from './own'

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

/**
 * Whether a row is the newest of its act. Compares only with the next newer row of the object, so it reads no other
 * act.
 */
const isNewest = sql`coalesce((select not ${sameAct(newer, history)} from ${history} newer
  where ${sameObject(newer, history)} and ${newer.id} > ${history.id} order by ${newer.id} limit 1), true)`

/** The id of the newest row before an act. */
const idBefore = sql`coalesce((select ${older.id} from ${history} older
  where ${sameObject(older, history)} and ${older.id} < ${history.id} and not ${sameAct(older, history)}
  order by ${older.id} desc limit 1), 0)`

/** Whether a row belongs to the act. */
const partOfAct = sql`${sameObject(part, history)} and ${part.id} <= ${history.id} and ${part.id} > ${idBefore}`

export const changer = {
  changerId: history.changerId,
  person: personName,
  login: users.login,
  application: applications.name,
}

/**
 * The largest number of characters that are read: of a text, and of the JSON of any other value. Longer values are cut.
 */
const longest = { text: 4_000, json: 64_000 }

const textIn = (value: SQL) =>
  sql`(case when jsonb_typeof(${value}) = 'string' then ${value} #>> '{}' else ${value}::text end)`
const tooLong = (value: SQL) =>
  sql`length(${textIn(value)}) > case when jsonb_typeof(${value}) = 'string' then ${longest.text}::int else ${longest.json}::int end`
export const cut = (value: SQL) =>
  sql`case when ${tooLong(value)} then to_jsonb(left(${textIn(value)}, ${longest.text}::int)) else ${value} end`
export const lengthOf = (value: SQL) => sql`case when ${tooLong(value)} then length(${textIn(value)}) end`

/** Whether the reader sees a change of this field; without `seen`, all changes. */
const isVisible = (field: SQLWrapper, seen: VisibleFields | undefined) =>
  seen
    ? sql`(${field} = any(${sql.param(seen.names)}::text[]) or ${field} like any(${sql.param(seen.patterns)}::text[]))`
    : sql`true`

const visibleFields = (visible: VisibleFields | undefined) => sql<Row[]>`(select coalesce(jsonb_agg(jsonb_build_object(
    'field', ${part.field},
    'previous', ${cut(sql`${part.previous}`)}, 'previousLength', ${lengthOf(sql`${part.previous}`)},
    'current', ${cut(sql`${part.current}`)}, 'currentLength', ${lengthOf(sql`${part.current}`)}
  ) order by ${part.id}), '[]')
  from ${history} part
  where ${partOfAct} and ${part.field} is not null and ${isVisible(part.field, visible)})`

/** Whether the reader sees an act: at least one of its changes, or an act that changed no field. */
const actIsVisible = (visible: VisibleFields | undefined) =>
  visible &&
  sql`(${history.field} is null
    or exists (select from ${history} part where ${partOfAct} and ${isVisible(part.field, visible)}))`

/** Reads acts with their changes, and the names of those who acted. The changes of skipped acts aren't read. */
async function actRows(parts: CursorParts, visible?: VisibleFields) {
  if (parts.offset === 0) return actsWithChanges(parts, visible)
  const page = await paged(db().select({ id: history.id }).from(history).$dynamic(), parts)
  const ids = page.map(({ id }) => id)
  return ids.length === 0 ? [] : actsWithChanges({ ...parts, where: inArray(history.id, ids), offset: 0 }, visible)
}

const actsWithChanges = ({ keys, ...parts }: CursorParts, visible?: VisibleFields) =>
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
        fields: visibleFields(visible),
      })
      .from(history)
      .leftJoin(users, eq(users.id, history.changerId))
      .leftJoin(applications, eq(applications.id, history.changerId))
      .$dynamic(),
    parts,
  )

/**
 * Reads one page of the acts on an object, the newest first, each with its changes; long values are cut. Reads only the
 * rows of the page. With `seen`, other changes are neither returned nor counted nor matched by filters.
 */
export const selectActs = (
  { entity, id }: { entity: string; id: string },
  query: HistoryInput,
  {
    pageSize,
    caller,
    timeZone,
    seen: visible,
  }: { pageSize: number | null; caller: string; timeZone: string; seen?: VisibleFields | undefined },
) => {
  const ofObject = and(eq(history.entity, entity), eq(history.entityId, id), isNewest, actIsVisible(visible))
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
        changer: (changerValue) =>
          changerValue === 'platform' ? isNull(history.changerId) : eq(history.changerId, changerValue),
        type: (type) => eq(history.type, type),
        field: (code) =>
          sql`exists (select from ${history} part where ${partOfAct} and ${inArray(part.field, recordedNames(code))}
            and ${isVisible(part.field, visible)})`,
        dateFrom: (day) => gte(history.date, dayBegins(day, timeZone)),
        dateTo: (day) => lt(history.date, dayBegins(day, timeZone, 1)),
      },
    },
    {
      rows: ({ where, ...parts }) => actRows({ ...parts, where: and(ofObject, where) }, visible),
      count: async () => 0,
    },
  )
}

/** What a reader of the whole history sees: the entities, without the hidden fields. */
export type Scope = { entities: EntityName[]; hidden: { entity: EntityName; fields: string[] }[] }

/**
 * Objects and people that match a search, at most 200 of a kind, and the ids of their rows; null if there are many
 * rows.
 */
export type SearchMatches = {
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
  found: SearchMatches | null
  /** When the fields of the filter changed, if they changed rarely: all rows of an act have one date. */
  changed: string[] | null
}

export const isHidden = (table: History, { hidden }: Scope) =>
  sql`(${table.field} is not null and ${
    or(...hidden.map(({ entity, fields }) => and(eq(table.entity, entity), inArray(table.field, fields)))) ?? sql`false`
  })`

/** Each condition names the entity or the changer, so that an index fits it. */
const matchesSearch = ({ text, changers, objects, rows }: SearchMatches, { entities }: Scope) =>
  rows
    ? sql`${history.id} = any(${sql.param(rows)}::bigint[])`
    : or(
        and(inArray(history.entity, entities), eq(history.entityId, text)),
        inArray(history.changerId, changers),
        ...objects.map(({ entity, ids }) => and(eq(history.entity, entity), inArray(history.entityId, ids))),
      )

/** Whether a field belongs to a block: to the recorded block, or to the present one if none was recorded. */
function inBlock(table: History, code: string, blocks: readonly Block[]): SQL {
  const presentFields = blocks
    .filter((block) => block.code === code)
    .map(({ entity, fields }) => and(isNull(table.subtype), eq(table.entity, entity), inArray(table.field, fields)))
  return or(eq(table.subtype, code), ...presentFields) ?? sql`false`
}

/**
 * Returns the rules of a list of the whole history; `satisfies` turns a condition on a field into one on the row, or on
 * its act.
 */
export const wholeRules = (
  list: string,
  { caller, timeZone, scope, blocks, found: matches, changed }: Reading,
  satisfies: (condition: SQL) => SQL,
  field: History,
) => ({
  list,
  caller,
  sorts: { date: history.date },
  tie: history.id,
  total: 'none' as const,
  filters: {
    search: () => (matches ? matchesSearch(matches, scope) : undefined),
    param: (code: string) =>
      and(
        changed ? sql`${history.date} = any(${sql.param(changed)}::timestamptz[])` : undefined,
        satisfies(inArray(field.field, recordedNames(code))),
      ),
    subtype: (code: string) => satisfies(inBlock(field, code, blocks)),
    changer: (changerValue: string) =>
      changerValue === 'platform' ? isNull(history.changerId) : eq(history.changerId, changerValue),
    entity: (entities: string[]) => inArray(history.entity, entities),
    type: (types: History['$inferSelect']['type'][]) => inArray(history.type, types),
    // addresses are stored in one spelling
    ip: (ip: string) => eq(history.ip, canonicalIp(ip) ?? ip),
    dateFrom: (day: string) => gte(history.date, dayBegins(day, timeZone)),
    dateTo: (day: string) => lt(history.date, dayBegins(day, timeZone, 1)),
  },
})

/** Up to this number of matching rows, all are read. With more matches, a page fills quickly. */
export const readWhole = { rows: 2_000 }

/**
 * Returns the ids of the rows about the matches of a search; null if there are many. Each object and each person is a
 * query of its own: PostgreSQL's estimate for all of them may be far off, and it would then read the whole table.
 */
export async function selectRowsAbout(
  { text, changers, objects }: Omit<SearchMatches, 'rows'>,
  { entities }: Scope,
): Promise<number[] | null> {
  const limit = readWhole.rows + 1
  const unnested = (ids: readonly string[]) => sql`unnest(${sql.param([...ids])}::text[]) one (id)`
  const ofObject = (entity: SQL, id: SQL) => sql`(select h.id from ${history} h
    where h.entity = ${entity} and h.entity_id = ${id} order by h.id desc limit ${limit})`
  const parts = [
    sql`select h.id from ${unnested(entities)} cross join lateral ${ofObject(sql`one.id`, sql`${text}`)} h`,
    sql`select h.id from ${unnested(changers)} cross join lateral (select h.id from ${history} h
      where h.changer_id = one.id::uuid order by h.date desc, h.id desc limit ${limit}) h`,
    ...objects.flatMap(({ entity, ids }) =>
      ids.length > 0
        ? sql`select h.id from ${unnested(ids)} cross join lateral ${ofObject(sql`${entity}`, sql`one.id`)} h`
        : [],
    ),
  ]
  const { rows } = await db().execute<{ id: string }>(
    sql`select id from (${sql.join(parts, sql` union all `)}) h limit ${limit}`,
  )
  return rows.length < limit ? rows.map(({ id }) => Number(id)) : null
}

/** Returns when a field changed; null if it changed so often that a page is full soon. */
export async function selectDatesOf(code: string): Promise<string[] | null> {
  const limit = readWhole.rows + 1
  const rows = await db()
    .select({ date: sql<string>`${history.date}::text` })
    .from(history)
    .where(inArray(history.field, recordedNames(code)))
    .limit(limit)
  return rows.length < limit ? [...new Set(rows.map(({ date }) => date))] : null
}

/** Reads one page of the acts on all objects that the reader sees, the newest first, each with its changes. */
export const selectAllActs = (query: WholeHistoryInput, reading: Reading) => {
  const { scope, pageSize } = reading
  const hasVisible = (condition: SQL) =>
    sql`exists (select from ${history} part where ${partOfAct} and ${condition} and not ${isHidden(part, scope)})`
  // an act that changed only hidden fields isn't visible either
  const isVisibleAct = scope.hidden.length > 0 ? or(isNull(history.field), hasVisible(sql`true`)) : undefined
  const ofScope = and(inArray(history.entity, scope.entities), isNewest, isVisibleAct)
  return cursorPage(query, pageSize, wholeRules('whole history, acts', reading, hasVisible, part), {
    rows: ({ where, ...parts }) => actRows({ ...parts, where: and(ofScope, where) }),
    count: async () => 0,
  })
}

/**
 * Returns the people and objects that match a text, among these kinds. `people` says whether changers are matched by
 * name, `logins` whether by login too.
 */
export async function selectMatches(
  text: string,
  kinds: ReadonlyMap<EntityName, Referred>,
  { people, logins }: { people: boolean; logins: boolean },
): Promise<Omit<SearchMatches, 'rows'>> {
  const byName = (kind: Referred) => selectIdsByName(kind, text)
  const byPerson = () => selectIdsByName('users', text, { logins })
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
 * Returns at most 50 changers of an object, by name: those whose name contains a text, or the one with an id. `names`
 * says whose name and login the caller may learn; others get their id as name. Each changer costs one index lookup,
 * however often they acted.
 */
export async function selectChangers(
  { entity, id }: { entity: string; id: string },
  {
    text,
    only,
    seen: visible,
  }: { text?: string | undefined; only?: string | undefined; seen?: VisibleFields | undefined },
  names: { ofPeople: boolean; logins: boolean; self: string | null },
): Promise<KnownChanger[]> {
  const next = (condition: SQL) => sql`(select h.changer_id from ${history} h
    where h.entity = ${entity} and h.entity_id = ${id} and h.changer_id is not null ${condition}
    and (h.field is null or ${isVisible(sql`h.field`, visible)})
    order by h.changer_id limit 1)`
  const isSelf = sql`${users.id} = ${names.self}`
  const name = sql`coalesce(${applications.name}, case when ${names.ofPeople} or ${isSelf} then ${personName} end,
    case when ${names.logins} or ${isSelf} then ${users.login} end, changer.id::text)`
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

/** The number of newest rows in which recent changers are looked for. */
const recentRows = 2_000

/**
 * Returns up to 50 people and applications that ever acted: those whose name contains a text, the one with an id, or
 * the most recent ones. Those whose name the caller may not learn are left out.
 */
export async function selectAnyChangers(
  { text, only }: { text?: string | undefined; only?: string | undefined },
  { ofPeople, logins }: { ofPeople: boolean; logins: boolean },
): Promise<KnownChanger[]> {
  const recent = sql`select changer_id from ${history} order by date desc, id desc limit ${recentRows}::int`
  const acted = (id: SQLWrapper) => {
    const ever = sql`exists (select from ${history} h where h.changer_id = ${id})`
    if (only) return sql`${id} = ${only} and ${ever}`
    return text ? ever : sql`${id} in (${recent})`
  }
  const named = (name: SQLWrapper, indexed = false) => (text ? found(text, [name], { indexed }) : sql`true`)
  const personal = sql`coalesce(${personName}, case when ${logins} then ${users.login} end)`
  const { rows } = await db().execute<KnownChanger>(sql`
    select id, name from (
      (select ${users.id} as id, ${personal} as name from ${users}
        where ${ofPeople} and (${named(users.fio, true)} or ${logins} and ${named(users.login, true)})
          and ${personal} is not null and ${acted(users.id)} limit 50)
      union all
      (select ${applications.id}, ${applications.name} from ${applications}
        where ${named(applications.name)} and ${acted(applications.id)} limit 50)
    ) changer order by name, id limit 50`)
  return rows
}
