import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { type DomainLocaleSettings, domainAliases, domainLocales, domains, locales, settings } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'

/** Returns the first row; throws if there is none. */
export const first = <T>(rows: T[]): T => {
  const [row] = rows
  if (row === undefined) throw new Error('nothing there')
  return row
}

/** Stores a setting. */
export async function store(id: string, value: unknown) {
  await db().insert(settings).values({ id, value }).onConflictDoUpdate({ target: settings.id, set: { value } })
  dropCached('settings')
}

/** The texts of a domain in one language. */
export const texts = (projectName: string, more: Partial<DomainLocaleSettings> = {}): DomainLocaleSettings => ({
  projectTitle: `${projectName} — вход`,
  projectName,
  copyright: '©',
  siteName: '',
  siteLink: '',
  banners: [],
  technical: [],
  ...more,
})
export const localeId = async (code: string) =>
  first(await db().select().from(locales).where(eq(locales.code, code))).id

type Domain = Partial<typeof domains.$inferInsert> & { hosts: string[]; in?: { [code: string]: DomainLocaleSettings } }
/** Creates a domain with these hosts and languages, in order. Returns its id. */
export async function createDomainWith({ hosts, in: spoken = { en: texts('D'), ru: texts('Д') }, ...values }: Domain) {
  const { id } = first(await db().insert(domains).values(values).returning())
  if (hosts.length > 0)
    await db()
      .insert(domainAliases)
      .values(hosts.map((host, order) => ({ host, domainId: id, order })))
  let order = 0
  for (const [code, settings] of Object.entries(spoken))
    await db()
      .insert(domainLocales)
      .values({ domainId: id, localeId: await localeId(code), order: order++, settings })
  dropCached('domains')
  return id
}
