import { asc, eq, sql } from 'drizzle-orm'
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

/** Reads every row of the configuration, one table after another, as a connection runs one statement at a time. */
export async function selectConfiguration() {
  const run = db()
  const currentTexts = run
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
  return {
    locales: await run.select().from(locales),
    localeTexts: await run.select().from(localeTexts),
    deviceTypes: await run.select().from(deviceTypes),
    networkAliases: await run.select().from(networkAliases),
    networkAliasIps: await run
      .select()
      .from(networkAliasIps)
      .orderBy(asc(networkAliasIps.order), asc(networkAliasIps.ip)),
    accessListEntries: await run
      .select()
      .from(accessListEntries)
      .orderBy(asc(accessListEntries.createdAt), asc(accessListEntries.id)),
    documents: await run.select().from(documents),
    documentTexts: await currentTexts,
    banners: await run.select().from(banners),
    domains: await run.select().from(domains).orderBy(asc(domains.createdAt), asc(domains.id)),
    domainAliases: await run.select().from(domainAliases).orderBy(asc(domainAliases.order), asc(domainAliases.host)),
    domainLocales: await run
      .select()
      .from(domainLocales)
      .orderBy(asc(domainLocales.order), asc(domainLocales.localeId)),
    domainAgreements: await run
      .select()
      .from(domainAgreements)
      .orderBy(asc(domainAgreements.order), asc(domainAgreements.documentId)),
    domainDocuments: await run
      .select()
      .from(domainDocuments)
      .orderBy(asc(domainDocuments.order), asc(domainDocuments.documentId)),
    draftSources: await run.select().from(draftSources).orderBy(asc(draftSources.order), asc(draftSources.domainId)),
    domainTexts: await run.select().from(domainTexts),
    pictures: await run.select().from(platformPictures),
    applications: await run
      .select()
      .from(applications)
      .orderBy(asc(applications.order), asc(applications.name), asc(applications.id)),
    applicationDomains: await run.select().from(applicationDomains),
    methods: await run.select().from(methods),
    serviceMethods: await run.select().from(applicationServiceMethods),
    clients: await run.select().from(oidcClients),
    webhooks: await run.select().from(webhooks).orderBy(asc(webhooks.createdAt), asc(webhooks.id)),
    roles: await run.select().from(roles).orderBy(asc(roles.createdAt), asc(roles.id)),
    roleMethods: await run.select().from(roleMethods),
    schemas: await run
      .select()
      .from(authenticationSchemas)
      .orderBy(asc(authenticationSchemas.priority), asc(authenticationSchemas.code)),
    schemaRoles: await run.select().from(authenticationSchemaRoles),
    tabs: await run.select().from(dynamicFieldTabs).orderBy(asc(dynamicFieldTabs.order), asc(dynamicFieldTabs.id)),
    blocks: await run
      .select()
      .from(dynamicFieldSubtypes)
      .orderBy(asc(dynamicFieldSubtypes.order), asc(dynamicFieldSubtypes.code)),
    fields: await run.select().from(dynamicFields).orderBy(asc(dynamicFields.order), asc(dynamicFields.code)),
    providers: await run.select().from(providers),
    providerDomains: await run.select().from(providerDomains),
    providerSyncs: await run.select().from(providerSyncs),
    providerMappers: await run.select().from(providerMappers),
    settings: await run.select().from(settings),
    notifyMethods: await run.select().from(notifyMethods),
    exchanges: await run.select().from(integrationSyncs),
  }
}
export type Rows = Awaited<ReturnType<typeof selectConfiguration>>

/** Makes imports of a configuration wait for one another. */
export const lockImports = (tx: Transaction) => tx.execute(sql`select pg_advisory_xact_lock(hashtext('configuration'))`)
