import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { documentLocales, documents, locales, settings } from '@/db/schema'
import { invalidate } from '@/lib/kernel/cache'
import { expect, test } from './fixtures'
import { speak } from './people'
import { languages, SignInPage, texts } from './sign-in-page'
import { en, ru } from './words'

const words = { ru: ru.law, en: en.law }
let made = 0

/** Creates a document with two versions in Russian, and on request the second one in English. Returns its code. */
async function createDocument(withEnglish: boolean) {
  const code = `law-test-${Date.now()}-${made++}`
  const [row] = await db().insert(documents).values({ code, type: 'agreement', version: 2 }).returning()
  const rows = await db().select().from(locales)
  for (const [version, locale] of [[1, 'ru'], [2, 'ru'], ...(withEnglish ? [[2, 'en'] as const] : [])] as const) {
    const localeId = rows.find((each) => each.code === locale)?.id
    if (!row || !localeId) throw new Error('no document was made')
    const content = `## Title ${version} ${locale}\n\n<script>document.title = 'hacked'</script>text`
    await db()
      .insert(documentLocales)
      .values({ documentId: row.id, version, localeId, name: `Doc ${locale}`, linkName: 'd', content })
  }
  return code
}

for (const language of languages)
  test.describe(`legal pages and help in ${language}`, () => {
    const t = words[language]
    const common = texts[language].common

    test.beforeEach(async ({ context, baseURL }) => speak(context, language, baseURL))

    test('a document shows its current version, the earlier one, and another language if its own is missing', async ({
      page,
      database: _,
    }) => {
      const code = await createDocument(true)
      await page.goto(`/platform/law/${code}`)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Doc ${language}`)
      await expect(page).toHaveTitle(new RegExp(`^Doc ${language} — (Полярис|Polaris)$`))
      await expect(page.getByRole('heading', { name: `Title 2 ${language}` })).toBeVisible()
      await page.goto(`/platform/law/${await createDocument(false)}`)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Doc ru')
      if (language === 'en') await expect(page.getByText(t.onlyIn.replace('{language}', 'Russian'))).toBeVisible()
      await page.getByRole('link', { name: t.otherVersion.replace('{version}', '1') }).click()
      await expect(page.getByText(t.older)).toBeVisible()
      await expect(page.getByRole('heading', { name: 'Title 1 ru' })).toBeVisible()
      await page.getByRole('link', { name: t.toCurrent }).click()
      await expect(page.getByRole('heading', { name: 'Title 2 ru' })).toBeVisible()
      await page.goto('/platform/law/there-is-none')
      await expect(page).toHaveURL('/platform/login')
    })

    test('help leads from the footer of the sign-in page to the section with the answer', async ({ page }) => {
      await page.goto('/platform/login')
      await page.getByRole('contentinfo').getByRole('link', { name: common.help, exact: true }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t.help.title)
      const search = page.getByRole('searchbox', { name: t.help.search })
      await search.fill(language === 'ru' ? 'приходит письмо' : 'code arrive')
      await search.press('Enter')
      await expect(page).toHaveURL(/search=/)
      const first = page.getByRole('main').getByRole('listitem').first()
      await expect(first.locator('mark').first()).toBeVisible()
      await first.getByRole('link').click()
      await expect(page).toHaveURL(/\/platform\/law\/help#part-\d$/)
      await page.goto('/platform/help?search=%3Cscript%3Ezzz')
      await expect(
        page.getByRole('heading', { name: t.help.nothing.title.replace('{query}', '<script>zzz') }),
      ).toBeVisible()
      await page.getByRole('link', { name: t.help.clear }).click()
      await expect(page.getByRole('heading', { name: t.help.documents })).toBeVisible()
      await expect(page.getByRole('link', { name: 'support@polaris.example' }).first()).toHaveAttribute(
        'href',
        'mailto:support@polaris.example',
      )
    })
  })

test.describe('the analytics counter', () => {
  const counter = 'https://metrics.example/counter.js'

  const setCounter = async (value: string | null) => {
    if (value === null) await db().delete(settings).where(eq(settings.id, 'metricsScript'))
    else
      await db()
        .insert(settings)
        .values({ id: 'metricsScript', value })
        .onConflictDoUpdate({ target: settings.id, set: { value } })
    await invalidate(db(), 'settings')
  }
  test.afterEach(() => setCounter(null))

  const counted = (page: Page) => page.evaluate(() => (window as { counted?: number }).counted ?? 0)

  test('runs only on public pages, and only after the consent', async ({ page, context, database: _ }) => {
    const hits: string[] = []
    await context.route('https://metrics.example/**', (route) => {
      hits.push(new URL(route.request().url()).pathname)
      const body = 'window.counted = (window.counted ?? 0) + 1; fetch("https://metrics.example/hit")'
      return route.fulfill({ contentType: 'text/javascript', headers: { 'access-control-allow-origin': '*' }, body })
    })
    await setCounter(counter)
    // the server reads its settings anew when it is notified
    const info = async () => (await page.request.get('/api/v1/platform/ui/project/info')).json()
    await expect.poll(info).toMatchObject({ metrics: counter })
    await page.goto('/platform/login')
    const accept = page.getByRole('button', { name: texts.ru.common.cookie.accept })
    await expect(accept).toBeVisible()
    expect(hits).toEqual([])
    await accept.click()
    await expect.poll(() => hits).toEqual(['/counter.js', '/hit'])
    await page.reload()
    await expect.poll(() => counted(page)).toBe(1)
    await page.goto('/platform/law/cookies')
    await expect.poll(() => counted(page)).toBe(1)
    // an address that contains a secret must not reach the counter
    await page.goto(`/platform/login?path=/platform/invitation/${randomUUID()}`)
    await expect(page.locator('h1')).toBeVisible()
    await expect(page.locator('script[data-metrics]')).toHaveCount(0)
    expect(await counted(page)).toBe(0)
    await page.goto('/platform/login')
    const form = new SignInPage(page)
    await form.signIn('no-services')
    await expect(page).toHaveURL('/platform/profile')
    await expect(page.locator('script[data-metrics]')).toHaveCount(0)
    expect(await counted(page)).toBe(0)
  })
})
