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

const mostFound = 200

type Thing = {
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
const inTwo = <T extends Thing['table'] & { name: AnyColumn; nameEn: AnyColumn }>(table: T): Thing => ({
  table,
  name: (locale) => localNameColumn(table, locale),
  by: [table.name, table.nameEn],
})
const inOne = (table: Thing['table'], column: AnyColumn): Thing => ({ table, name: () => sql`${column}`, by: [column] })

/** What each kind of thing is called. */
const things: Record<Referred, Thing> = {
  applications: inTwo(applications),
  authenticationSchemas: inTwo(authenticationSchemas),
  banners: inOne(banners, banners.title),
  contractors: inOne(contractors, contractors.name),
  deviceTypes: inTwo(deviceTypes),
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
  invitations: inOne(invitations, invitations.email),
  locales: inOne(locales, locales.name),
  networkAliases: inOne(networkAliases, networkAliases.name),
  oidcClients: {
    table: oidcClients,
    name: () => sql`${oidcClients.name}`,
    by: [oidcClients.name, oidcClients.clientId],
  },
  organizations: inTwo(organizations),
  roles: inTwo(roles),
  users: { table: users, name: () => personName, by: [users.fio] },
}

/** Returns the ids of what a text names among things of a kind, in the columns of its names; with `logins` people by their login too. */
export const selectNamed = async (kind: Referred, text: string, { logins = false } = {}) => {
  const { table, by } = things[kind]
  const rows = await db()
    .select({ id: sql<string>`${table.id}` })
    .from(table)
    .where(found(text, [...by, logins && users.login], { indexed: kind === 'users' }))
    .limit(mostFound)
  return rows.map(({ id }) => id)
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Returns the names of things by their ids, in the reader's language; what is gone has none. */
export async function selectNames(
  wanted: ReadonlyMap<Referred, ReadonlySet<string>>,
  locale: string,
): Promise<Map<Referred, { id: string; name: string | null }[]>> {
  const found = await Promise.all(
    [...wanted].map(async ([referred, ids]) => {
      const { table, name } = things[referred]
      const known = [...ids].filter((id) => uuid.test(id))
      const rows =
        known.length === 0
          ? []
          : await db()
              .select({ id: sql<string>`${table.id}`, name: sql<string | null>`${name(locale)}` })
              .from(table)
              .where(inArray(table.id, known))
      return [referred, rows] as const
    }),
  )
  return new Map(found)
}
