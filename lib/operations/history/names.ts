import { type AnyColumn, inArray, type SQL, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { localNameColumn, nameAmongColumns } from '@/db/local-name'
import { dynamicFields } from '@/db/schema/dynamic-fields'
import { invitations } from '@/db/schema/entry'
import { oidcClients } from '@/db/schema/oidc'
import { contractors, organizations, roles, users } from '@/db/schema/people'
import {
  applications,
  authenticationSchemas,
  banners,
  deviceTypes,
  documentLocales,
  documents,
  domainAliases,
  domains,
  locales,
  networkAliases,
} from '@/db/schema/platform'
import { found } from '@/db/search'
import { personName } from '@/lib/base/audit/changer'
import type { Referred } from '@/lib/base/audit/entity'

const mostMatches = 200

type NamedKind = {
  table:
    | typeof applications
    | typeof authenticationSchemas
    | typeof banners
    | typeof contractors
    | typeof deviceTypes
    | typeof documents
    | typeof domains
    | typeof dynamicFields
    | typeof invitations
    | typeof locales
    | typeof networkAliases
    | typeof oidcClients
    | typeof organizations
    | typeof roles
    | typeof users
  name(locale: string): SQL
  /** The columns in which a search looks. */
  by: AnyColumn[]
}
const inTwoLanguages = <T extends NamedKind['table'] & { name: AnyColumn; nameEn: AnyColumn }>(
  table: T,
): NamedKind => ({
  table,
  name: (locale) => localNameColumn(table, locale),
  by: [table.name, table.nameEn],
})
const inOneColumn = (table: NamedKind['table'], column: AnyColumn): NamedKind => ({
  table,
  name: () => sql`${column}`,
  by: [column],
})

/** The table and the name of each kind of object that the history refers to. */
const namedKinds: Record<Referred, NamedKind> = {
  applications: inTwoLanguages(applications),
  authenticationSchemas: inTwoLanguages(authenticationSchemas),
  banners: inOneColumn(banners, banners.title),
  contractors: inOneColumn(contractors, contractors.name),
  deviceTypes: inTwoLanguages(deviceTypes),
  documents: {
    table: documents,
    name: (locale) => sql`coalesce((select d.name from ${documentLocales} d
      where d.document_id = ${documents}.id and d.version = ${documents}.version
      order by (select l.code from ${locales} l where l.id = d.locale_id) <> ${locale}, d.name limit 1), ${documents}.code)`,
    by: [documents.code],
  },
  domains: {
    table: domains,
    name: () => sql`coalesce(nullif(${domains}.comment, ''), (select a.host from ${domainAliases} a
      where a.domain_id = ${domains}.id order by a."order" limit 1))`,
    by: [domains.comment],
  },
  dynamicFields: {
    table: dynamicFields,
    name: (locale) =>
      nameAmongColumns({ ru: dynamicFields.title, en: dynamicFields.titleEn }, locale, dynamicFields.code),
    by: [dynamicFields.title, dynamicFields.titleEn],
  },
  invitations: inOneColumn(invitations, invitations.email),
  locales: inOneColumn(locales, locales.name),
  networkAliases: inOneColumn(networkAliases, networkAliases.name),
  oidcClients: {
    table: oidcClients,
    name: () => sql`${oidcClients.name}`,
    by: [oidcClients.name, oidcClients.clientId],
  },
  organizations: inTwoLanguages(organizations),
  roles: inTwoLanguages(roles),
  users: { table: users, name: () => personName, by: [users.fio] },
}

/**
 * Returns the ids of objects of a kind whose name columns match a text; with `logins`, also people whose login does.
 */
export const selectIdsByName = async (kind: Referred, text: string, { logins = false } = {}) => {
  const { table, by } = namedKinds[kind]
  const rows = await db()
    .select({ id: sql<string>`${table.id}` })
    .from(table)
    .where(found(text, [...by, logins && users.login], { indexed: kind === 'users' }))
    .limit(mostMatches)
  return rows.map(({ id }) => id)
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Returns the names of objects by their ids, in the reader's language; deleted objects have none. */
export async function selectNames(
  idsByKind: ReadonlyMap<Referred, ReadonlySet<string>>,
  locale: string,
): Promise<Map<Referred, { id: string; name: string | null }[]>> {
  const namesByKind = await Promise.all(
    [...idsByKind].map(async ([referred, ids]) => {
      const { table, name } = namedKinds[referred]
      const validIds = [...ids].filter((id) => uuid.test(id))
      const rows =
        validIds.length === 0
          ? []
          : await db()
              .select({ id: sql<string>`${table.id}`, name: sql<string | null>`${name(locale)}` })
              .from(table)
              .where(inArray(table.id, validIds))
      return [referred, rows] as const
    }),
  )
  return new Map(namesByKind)
}
