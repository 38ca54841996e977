import { and, asc, eq, exists, inArray, isNotNull, max, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { type CursorParts, cursorPage } from '@/db/cursor'
import { countRows, paged } from '@/db/list'
import { localNameColumn } from '@/db/local-name'
import { insertUnlessTaken, rowsById } from '@/db/rows'
import { newVersion } from '@/db/schema/columns'
import { applicationServiceMethods, oidcClients } from '@/db/schema/oidc'
import { methods, roleMethods } from '@/db/schema/people'
import { applicationDomains, applications, domains } from '@/db/schema/platform'
import { found } from '@/db/search'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { listApplications } from './contract'

/** Returns the methods that the application's service account holds. */
export const selectServiceMethods = (run: Database | Transaction, id: string) =>
  run
    .select({ id: methods.id, code: methods.code, kind: methods.kind })
    .from(applicationServiceMethods)
    .innerJoin(methods, eq(methods.id, applicationServiceMethods.methodId))
    .where(eq(applicationServiceMethods.applicationId, id))
    .orderBy(methods.code)

/** Inserts an application, the last in order; undefined if another one has its code. */
export async function insertApplication(tx: Transaction, values: Omit<typeof applications.$inferInsert, 'order'>) {
  const [last] = await tx.select({ order: max(applications.order) }).from(applications)
  return insertUnlessTaken(applications)(tx, { ...values, order: (last?.order ?? -1) + 1 })
}

export const isApplication = async (id: string): Promise<boolean> =>
  (await db().$count(applications, eq(applications.id, id))) > 0

/** Returns the id of the application with this code; undefined if there is none. */
export async function selectApplicationByCode(code: string) {
  const [row] = await db().select({ id: applications.id }).from(applications).where(eq(applications.code, code))
  return row
}

export const applicationRows = rowsById(applications, 'no key update')

export const selectEnabledAddresses = () =>
  db()
    .select({ url: applications.url })
    .from(applications)
    .where(and(eq(applications.enabled, true), isNotNull(applications.url)))

/** Returns the addresses of applications with methods of their own. */
export const selectApiAddresses = (tx: Transaction) =>
  tx
    .select({ id: applications.id, url: applications.url })
    .from(applications)
    .where(
      and(
        isNotNull(applications.url),
        exists(tx.select({ id: methods.id }).from(methods).where(eq(methods.applicationId, applications.id))),
      ),
    )

/** Returns one page of applications; names are sorted in the language of `locale`. */
export const selectApplicationPage = (
  query: ServiceInput<typeof listApplications>['query'],
  caller: string,
  pageSize: number | null,
  locale: string,
) =>
  cursorPage(
    query,
    pageSize,
    {
      list: 'applications',
      caller,
      sorts: {
        order: applications.order,
        name: { by: localNameColumn(applications, locale), type: 'text', nullable: false },
        code: applications.code,
        updatedAt: applications.updatedAt,
      },
      tie: applications.id,
      filters: {
        search: (text) => found(text, [applications.name, applications.nameEn, applications.code, applications.url]),
        type: (types) => inArray(applications.type, types),
        enabled: (value) => eq(applications.enabled, value),
        menuVisible: (value) => eq(applications.menuVisible, value),
      },
    },
    {
      rows: ({ keys, ...parts }: CursorParts) =>
        paged(
          db().select({ application: applications, clientId, clientCount, keys }).from(applications).$dynamic(),
          parts,
        ),
      count: (where, atMost) => countRows(applications, where, atMost),
    },
  )

const clientId = sql<string | null>`(select oc.client_id from ${oidcClients} oc
  where oc.application_id = ${applications}.id order by oc.created_at, oc.id limit 1)`
const clientCount = sql<number>`(select count(*)::int from ${oidcClients} oc where oc.application_id = ${applications}.id)`

/** Returns an application with the number of its clients; undefined for an unknown id. */
export async function selectApplication(id: string) {
  const [row] = await db()
    .select({ application: applications, clientId, clientCount })
    .from(applications)
    .where(eq(applications.id, id))
  return row
}

/** Returns all applications in their order. */
export const selectInOrder = (run: Database | Transaction) =>
  run
    .select({
      id: applications.id,
      order: applications.order,
      name: applications.name,
      nameEn: applications.nameEn,
      type: applications.type,
      menuVisible: applications.menuVisible,
      enabled: applications.enabled,
      iconId: applications.iconId,
    })
    .from(applications)
    .orderBy(asc(applications.order), asc(applications.name), asc(applications.id))

/** Locks all applications, so that changes of their order run one after another. */
export const lockInOrder = (tx: Transaction) =>
  tx.select({ id: applications.id }).from(applications).orderBy(asc(applications.id)).for('no key update')

/** Returns the domains whose menus show an application, by their ids. */
export async function selectDomainIds(run: Database | Transaction, id: string): Promise<string[]> {
  const rows = await run
    .select({ id: applicationDomains.domainId })
    .from(applicationDomains)
    .where(eq(applicationDomains.applicationId, id))
    .orderBy(applicationDomains.domainId)
  return rows.map((row) => row.id)
}

/** Returns the comments of these domains. */
export const selectDomainNames = (ids: readonly string[]) =>
  db()
    .select({ id: domains.id, comment: domains.comment })
    .from(domains)
    .where(inArray(domains.id, [...ids]))
    .orderBy(asc(domains.comment))

/** Replaces the domains of an application. */
export async function storeDomains(tx: Transaction, applicationId: string, ids: readonly string[]) {
  await tx.delete(applicationDomains).where(eq(applicationDomains.applicationId, applicationId))
  if (ids.length > 0) await tx.insert(applicationDomains).values(ids.map((domainId) => ({ applicationId, domainId })))
}

/** Returns those of these ids that are domains. */
export async function selectKnownDomains(run: Database | Transaction, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await run
    .select({ id: domains.id })
    .from(domains)
    .where(inArray(domains.id, [...ids]))
  return new Set(rows.map(({ id }) => id))
}

/** Returns whether an application has children. */
export const hasChildren = async (tx: Transaction, id: string): Promise<boolean> =>
  (await tx.$count(applications, eq(applications.parentId, id))) > 0

/** Returns whether an application is below another one, at any depth. */
export async function standsInside(tx: Transaction, id: string, otherId: string): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    with recursive above (id, parent_id) as (
      select a.id, a.parent_id from ${applications} a where a.id = ${id}
      union
      select a.id, a.parent_id from ${applications} a join above on a.id = above.parent_id
    )
    select from above where parent_id = ${otherId}`)
  return rows.length > 0
}

/** Returns an application's own methods, with how many roles and service accounts have each. */
export const selectOwnMethods = (run: Database | Transaction, applicationId: string) =>
  run
    .select({
      id: methods.id,
      code: methods.code,
      name: methods.name,
      nameEn: methods.nameEn,
      roles: sql<number>`(select count(*)::int from ${roleMethods} rm where rm.method_id = ${methods}.id)`,
      accounts: sql<number>`(select count(*)::int from ${applicationServiceMethods} sm where sm.method_id = ${methods}.id)`,
    })
    .from(methods)
    .where(eq(methods.applicationId, applicationId))
    .orderBy(asc(methods.code))

/** Locks an application's own methods, so that no role and no service account gets one. */
export const lockOwnMethods = (tx: Transaction, applicationId: string) =>
  tx.select({ id: methods.id }).from(methods).where(eq(methods.applicationId, applicationId)).for('update')

type OwnMethod = { id: string; code: string; name: string; nameEn: string | null }

/** Stores changes of the methods of a locked application, and gives the application a new version. */
export async function storeOwnMethods(
  tx: Transaction,
  applicationId: string,
  { add, change, remove }: { add: Omit<OwnMethod, 'id'>[]; change: OwnMethod[]; remove: string[] },
) {
  if (remove.length > 0) await tx.delete(methods).where(inArray(methods.id, remove))
  // methods may swap codes: temporary codes keep them unique while all are written
  for (const { id } of change)
    await tx
      .update(methods)
      .set({ code: `~${id}` })
      .where(eq(methods.id, id))
  for (const { id, ...values } of change) await tx.update(methods).set(values).where(eq(methods.id, id))
  if (add.length > 0)
    await tx.insert(methods).values(add.map((values) => ({ ...values, kind: 'application' as const, applicationId })))
  await tx.update(applications).set(newVersion).where(eq(applications.id, applicationId))
}
