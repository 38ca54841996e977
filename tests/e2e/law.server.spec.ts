import { eq, like, sql } from 'drizzle-orm'
import { closeDatabase, db } from '@/db/client'
import { documentLocales, documents, locales } from '@/db/schema'
import { languages } from './sign-in-page'
import { expect, test } from './turn'
import { wordsOf } from './words'

const prefix = 'e2e-law-'

/** Creates a document with two versions in Russian, and on request the second one in English. Returns its address. */
async function createDocument(code: string, withEnglish: boolean) {
  const [row] = await db()
    .insert(documents)
    .values({ code: prefix + code, type: 'agreement', version: 2 })
    .returning()
  for (const [version, locale] of [[1, 'ru'], [2, 'ru'], ...(withEnglish ? [[2, 'en'] as const] : [])] as const) {
    const [spoken] = await db().select().from(locales).where(eq(locales.code, locale))
    if (!row || !spoken) throw new Error('no document was made')
    const content = `## Title ${version} ${locale}\n\n<script>document.title = 'hacked'</script>text`
    await db()
      .insert(documentLocales)
      .values({ documentId: row.id, version, localeId: spoken.id, name: `Doc ${locale}`, linkName: 'd', content })
  }
  await db().execute(sql`select pg_notify('platform_cache', 'documents')`)
  const path = `/platform/law/${prefix}${code}`
  const answer = () => fetch(`${process.env.PUBLIC_URL}${path}`, { redirect: 'manual' })
  await expect.poll(async () => (await answer()).status).toBe(200)
  return path
}
/** Pages show short words and numbers with spaces that don’t break. */
const plain = (text: string) => text.replaceAll('\u00a0', ' ')
const forget = () =>
  db()
    .delete(documents)
    .where(like(documents.code, `${prefix}%`))
test.beforeEach(forget)
test.afterEach(forget)
test.afterAll(closeDatabase)

for (const language of languages)
  test(`a document shows its current version, the earlier one, and another language if its own is missing, ${language}`, async () => {
    const { law: t } = wordsOf(language)
    const open = async (path: string) => {
      const answer = await fetch(`${process.env.PUBLIC_URL}${path}`, { headers: { cookie: `locale=${language}` } })
      const html = (await answer.text()).replace(/<script[\s\S]*?<\/script>/g, '')
      return { url: answer.url, html: plain(html) }
    }
    const both = await open(await createDocument('both', true))
    expect(both.html).toMatch(new RegExp(`<h1[^>]* lang="${language}"[^>]*>Doc ${language}</h1>`))
    expect(both.html).toMatch(new RegExp(`<title>Doc ${language} — (Полярис|Polaris)</title>`))
    expect(both.html).toContain(`Title 2 ${language}</h2>`)
    expect(both.html).not.toContain(plain(t.older))

    const path = await createDocument('russian', false)
    const russian = await open(path)
    expect(russian.html).toMatch(/<h1[^>]* lang="ru"[^>]*>Doc ru<\/h1>/)
    expect(russian.html.includes(plain(t.onlyIn.replace('{language}', 'Russian')))).toBe(language === 'en')
    const linkTo = (address: string, text: string) => new RegExp(`<a [^>]*href="${address}"[^>]*>${plain(text)}</a>`)
    expect(russian.html).toMatch(linkTo(`${path}\\?version=1`, t.otherVersion.replace('{version}', '1')))
    const earlier = await open(`${path}?version=1`)
    expect(earlier.html).toContain(plain(t.older))
    expect(earlier.html).toContain('Title 1 ru</h2>')
    expect(earlier.html).toMatch(linkTo(path, t.toCurrent))
    for (const { html } of [both, russian, earlier]) expect(html).not.toContain('hacked')
    expect((await open('/platform/law/there-is-none')).url).toBe(`${process.env.PUBLIC_URL}/platform/login`)
  })
