import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { type CursorParts, cursorPage } from '@/db/cursor'
import { paged } from '@/db/list'
import { history } from '@/db/schema/operations'
import { users } from '@/db/schema/people'
import { applications } from '@/db/schema/platform'
import type { Plain } from '@/lib/base/audit/values'
import type { WholeHistoryInput } from './contract'
import { changer, cut, isHidden, lengthOf, type Reading, type Scope, wholeRules } from './queries'

/** The rows that a reader sees: of visible entities, without hidden fields. */
const visibleRows = (scope: Scope) => and(inArray(history.entity, scope.entities), sql`not ${isHidden(history, scope)}`)

/** Reads rows, one for each field, with the names of those who acted; long values are cut. */
const fieldRows = ({ keys, ...parts }: CursorParts) =>
  paged(
    db()
      .select({
        keys,
        id: history.id,
        date: history.date,
        type: history.type,
        entity: history.entity,
        entityId: history.entityId,
        subtype: history.subtype,
        field: history.field,
        previous: sql<Plain>`${cut(sql`${history.previous}`)}`,
        previousLength: sql<number | null>`${lengthOf(sql`${history.previous}`)}`,
        current: sql<Plain>`${cut(sql`${history.current}`)}`,
        currentLength: sql<number | null>`${lengthOf(sql`${history.current}`)}`,
        ip: history.ip,
        requestId: history.requestId,
        ...changer,
      })
      .from(history)
      .leftJoin(users, eq(users.id, history.changerId))
      .leftJoin(applications, eq(applications.id, history.changerId))
      .$dynamic(),
    parts,
  )

/** Reads one page of rows of the history that the reader sees, the newest first. */
export const selectAllRows = (query: WholeHistoryInput, reading: Reading) =>
  cursorPage(
    query,
    reading.pageSize,
    wholeRules('whole history, rows', reading, (condition: SQL) => condition, history),
    {
      rows: ({ where, ...parts }) => fieldRows({ ...parts, where: and(visibleRows(reading.scope), where) }),
      count: async () => 0,
    },
  )

/** Reads the rows with these ids that the reader sees, in no order. */
export const selectRowsOf = (ids: readonly number[], scope: Scope) =>
  fieldRows({
    keys: sql<(string | null)[]>`'{}'::text[]`,
    where: and(inArray(history.id, [...ids]), visibleRows(scope)),
    orderBy: [],
    limit: ids.length,
    offset: 0,
  })
