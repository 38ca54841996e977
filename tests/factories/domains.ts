import { and, eq } from 'drizzle-orm'
import { db } from '@/db/client'
import {
  documentLocales,
  documents,
  domainAgreements,
  domainAliases,
  domainLocales,
  domains,
  locales,
} from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'

let made = 0

/** Creates a domain with ru and en, and on request with an agreement that sign-in requires. Returns its host. */
export async function createDomain({ agreement }: { agreement?: string } = {}) {
  made++
  const host = `domain-${made}.localhost`
  await db().transaction(async (tx) => {
    const [domain] = await tx.insert(domains).values({ comment: host }).returning()
    if (!domain) throw new Error('no domain was made')
    await tx.insert(domainAliases).values({ host, domainId: domain.id })
    const settings = {
      projectTitle: 'Домен',
      projectName: 'Домен',
      copyright: '',
      siteName: '',
      siteLink: '',
      banners: [],
      technical: [],
    }
    for (const { id } of await tx.select().from(locales))
      await tx.insert(domainLocales).values({ domainId: domain.id, localeId: id, settings })
    if (agreement)
      await tx.insert(domainAgreements).values({ domainId: domain.id, documentId: agreement, loginRequired: true })
  })
  dropCached('domains')
  return host
}

/** Creates an agreement with a text in Russian. Returns its id. */
export async function createAgreement() {
  made++
  const [row] = await db()
    .insert(documents)
    .values({ code: `agreement-${made}`, type: 'agreement' })
    .returning()
  if (!row) throw new Error('no document was made')
  await publishVersion(row.id, 1)
  return row.id
}

/** Raises the version of the agreement, so that people must agree again. */
export async function publishVersion(documentId: string, version: number) {
  const [locale] = await db()
    .select()
    .from(locales)
    .where(and(eq(locales.code, 'ru')))
  if (!locale) throw new Error('there is no Russian locale')
  await db().update(documents).set({ version }).where(eq(documents.id, documentId))
  await db()
    .insert(documentLocales)
    .values({
      documentId,
      version,
      localeId: locale.id,
      name: 'Соглашение',
      linkName: 'соглашение',
      content: `Текст ${version}`,
    })
  dropCached('project-info')
}
