import { asc, eq, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { db, type Transaction } from '@/db/client'
import { dynamicFieldSubtypes, dynamicFields, dynamicFieldTabs } from '@/db/schema/dynamic-fields'
import { integrationSyncs } from '@/db/schema/integration'
import { applicationServiceMethods, oidcClients } from '@/db/schema/oidc'
import { authenticationSchemaRoles, methods, providerDomains, providers, roleMethods, roles } from '@/db/schema/people'
import {
  accessListEntries,
  applicationDomains,
  applications,
  authenticationSchemas,
  banners,
  deviceTypes,
  documentLocales,
  documents,
  domainAgreements,
  domainAliases,
  domainDocuments,
  domainLocales,
  domains,
  domainTexts,
  draftSources,
  locales,
  localeTexts,
  networkAliases,
  networkAliasIps,
  platformPictures,
  settings,
} from '@/db/schema/platform'
import { providerMappers, providerSyncs } from '@/db/schema/providers'
import { notifyMethods } from '@/db/schema/subscriptions'
import { webhooks } from '@/db/schema/webhooks'

/** Reads all rows of a table, in the order of some columns. */
const all = <T extends PgTable>(table: T, ...order: PgColumn[]): Promise<T['$inferSelect'][]> =>
  db()
    .select()
    .from(table as PgTable)
    .orderBy(...order.map((column) => asc(column)))

const selectCurrentTexts = () =>
  db()
    .select({
      documentId: documentLocales.documentId,
      localeId: documentLocales.localeId,
      name: documentLocales.name,
      linkName: documentLocales.linkName,
      content: documentLocales.content,
    })
    .from(documentLocales)
    .innerJoin(documents, eq(documents.id, documentLocales.documentId))
    .where(eq(documentLocales.version, documents.version))

/** Reads every row of the configuration, one table after another, as a connection runs one statement at a time. */
export const selectConfiguration = async () => ({
  locales: await all(locales),
  localeTexts: await all(localeTexts),
  deviceTypes: await all(deviceTypes),
  networkAliases: await all(networkAliases),
  networkAliasIps: await all(networkAliasIps, networkAliasIps.order, networkAliasIps.ip),
  accessListEntries: await all(accessListEntries, accessListEntries.createdAt, accessListEntries.id),
  documents: await all(documents),
  documentTexts: await selectCurrentTexts(),
  banners: await all(banners),
  domains: await all(domains, domains.createdAt, domains.id),
  domainAliases: await all(domainAliases, domainAliases.order, domainAliases.host),
  domainLocales: await all(domainLocales, domainLocales.order, domainLocales.localeId),
  domainAgreements: await all(domainAgreements, domainAgreements.order, domainAgreements.documentId),
  domainDocuments: await all(domainDocuments, domainDocuments.order, domainDocuments.documentId),
  draftSources: await all(draftSources, draftSources.order, draftSources.domainId),
  domainTexts: await all(domainTexts),
  pictures: await all(platformPictures),
  applications: await all(applications, applications.order, applications.name, applications.id),
  applicationDomains: await all(applicationDomains),
  methods: await all(methods),
  serviceMethods: await all(applicationServiceMethods),
  clients: await all(oidcClients),
  webhooks: await all(webhooks, webhooks.createdAt, webhooks.id),
  roles: await all(roles, roles.createdAt, roles.id),
  roleMethods: await all(roleMethods),
  schemas: await all(authenticationSchemas, authenticationSchemas.priority, authenticationSchemas.code),
  schemaRoles: await all(authenticationSchemaRoles),
  tabs: await all(dynamicFieldTabs, dynamicFieldTabs.order, dynamicFieldTabs.id),
  blocks: await all(dynamicFieldSubtypes, dynamicFieldSubtypes.order, dynamicFieldSubtypes.code),
  fields: await all(dynamicFields, dynamicFields.order, dynamicFields.code),
  providers: await all(providers),
  providerDomains: await all(providerDomains),
  providerSyncs: await all(providerSyncs),
  providerMappers: await all(providerMappers),
  settings: await all(settings),
  notifyMethods: await all(notifyMethods),
  exchanges: await all(integrationSyncs),
})
export type Rows = Awaited<ReturnType<typeof selectConfiguration>>

/** Makes imports of a configuration wait for one another. */
export const lockImports = (tx: Transaction) => tx.execute(sql`select pg_advisory_xact_lock(hashtext('configuration'))`)
