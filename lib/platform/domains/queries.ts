import { and, asc, eq, ne, or } from 'drizzle-orm'
import { db } from '@/db/client'
import { domainAliases, domainLocales, domains, locales } from '@/db/schema/platform'

/**
 * Returns the domains that serve people, the base domain first, with their aliases and the codes of enabled locales.
 */
export async function selectServingDomains() {
  const [rows, aliases, localeRows] = await Promise.all([
    db()
      .select({
        id: domains.id,
        base: domains.base,
        baseSettings: domains.baseSettings,
        styleTemplate: domains.styleTemplate,
        imageCode: domains.imageCode,
        devicesIdAttributes: domains.devicesIdAttributes,
      })
      .from(domains)
      .where(or(domains.base, and(domains.enabled, ne(domains.type, 'draft')))),
    db()
      .select({ domainId: domainAliases.domainId, host: domainAliases.host })
      .from(domainAliases)
      .orderBy(asc(domainAliases.order), asc(domainAliases.host)),
    db()
      .select({ domainId: domainLocales.domainId, code: locales.code })
      .from(domainLocales)
      .innerJoin(locales, and(eq(locales.id, domainLocales.localeId), locales.enabled))
      .where(eq(domainLocales.enabled, true))
      .orderBy(asc(domainLocales.order), asc(locales.code)),
  ])
  return rows
    .map((row) => ({
      ...row,
      aliases: aliases.filter(({ domainId }) => domainId === row.id).map(({ host }) => host),
      locales: localeRows.filter(({ domainId }) => domainId === row.id).map(({ code }) => code),
    }))
    .sort((one, other) => Number(other.base) - Number(one.base))
}
