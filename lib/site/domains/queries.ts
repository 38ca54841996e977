import { and, asc, eq, inArray, ne, or } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { deviceTypes, domainAliases, domainLocales, domains, locales } from '@/db/schema/platform'

const serving = or(domains.base, and(domains.enabled, ne(domains.type, 'draft')))

/**
 * Returns the limits on identifiers of the served domains, by device type, and the ids of the device types with these
 * codes.
 */
export async function selectLimits(tx: Transaction, common: readonly string[]) {
  const limits = await tx.select({ byType: domains.devicesIdAttributes }).from(domains).where(serving)
  const types = await tx
    .select({ id: deviceTypes.id })
    .from(deviceTypes)
    .where(inArray(deviceTypes.code, [...common]))
  return { limits: limits.map(({ byType }) => byType), typeIds: types.map(({ id }) => id) }
}

/**
 * Returns the served domains, the base domain first, with their aliases and the codes of their enabled languages.
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
        timeZone: domains.timeZone,
        devicesIdAttributes: domains.devicesIdAttributes,
      })
      .from(domains)
      .where(serving),
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
    .sort((first, second) => Number(second.base) - Number(first.base))
}
