import { randomUUID } from 'node:crypto'
import type { APIRequestContext, BrowserContext } from '@playwright/test'
import { eq, like } from 'drizzle-orm'
import { createTranslator } from 'next-intl'
import { db } from '@/db/client'
import { documentLocales, documents, domainAgreements, domains, userAgreements } from '@/db/schema'
import { invalidate } from '@/lib/base/cache/cache'
import { requiredAgreement } from '../factories/agreements'
import { createDomainWith, localeId, texts } from '../factories/platform'
import { createUser } from '../factories/users'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { asPerson, takenOver } from './signed-in'
import { spokenIn } from './spoken'

const { language, words: t } = spokenIn(import.meta.filename)
const { agreements } = t.profile
const say = createTranslator({ locale: language, messages: t, namespace: 'snackbar' })
const path = '/platform/profile/personal?tab=agreements'

// the base domain would show its agreements to everybody
let domain: { id: string; host: string }
let agreement: Awaited<ReturnType<typeof requiredAgreement>>

test.beforeEach(async ({ request, database: _ }) => {
  const host = `e2e-agreements-${randomUUID().slice(0, 8)}.localhost`
  const named = { en: texts(host), ru: texts(host) }
  domain = { id: await createDomainWith({ hosts: [host], comment: 'E2E agreements', in: named }), host }
  // signing in doesn't need it
  agreement = await requiredAgreement([])
  await db().insert(domainAgreements).values({ domainId: domain.id, documentId: agreement.id, profileVisible: true })
  await db().transaction((tx) => invalidate(tx, 'domains'))
  await served(request, host)
})
test.afterEach(async () => {
  await db().delete(domains).where(like(domains.comment, 'E2E agreements%'))
  await db().delete(documents).where(eq(documents.id, agreement.id))
  await db().transaction((tx) => invalidate(tx, 'domains'))
})

/** Waits until the server has read the new domain. */
const served = (request: APIRequestContext, host: string) =>
  expect
    .poll(async () => (await request.get('/platform/login', { headers: { host } })).text())
    .toContain(texts(host).projectTitle)

/** Gives the browser a session of a new person on the test's domain. Returns the address of their agreements there. */
async function somebodyThere(context: BrowserContext) {
  const { id, login } = await createUser()
  await asPerson(context, login, language)
  const base = process.env.PUBLIC_URL ?? ''
  const { href: url, origin } = Object.assign(new URL(path, base), { hostname: domain.host })
  const given = await context.cookies(base)
  await context.addCookies(given.map(({ name, value, httpOnly }) => ({ name, value, httpOnly, url: origin })))
  return { id, url }
}

/** Raises the version of the agreement, as its editor does who wants people to agree again. */
async function raise() {
  const { id, name } = agreement
  const text = { name, linkName: 'правила', content: 'Новый текст', localeId: await localeId('ru') }
  await db()
    .insert(documentLocales)
    .values({ ...text, documentId: id, version: 2 })
  await db().update(documents).set({ version: 2 }).where(eq(documents.id, id))
}

test('people agree, take the consent back, and find both in their history', async ({ page, context }) => {
  const { id, url } = await somebodyThere(context)
  await page.goto(url)
  await takenOver(page)
  const row = page.getByRole('listitem').filter({ hasText: agreement.code })
  await expect(row).toContainText(agreements.status.notReceived)
  await row.getByRole('button').click()
  await expect(page.getByText(say('agreementSet', { agree: 'true' }), { exact: true })).toBeVisible()
  await expect(row).toContainText(agreements.status.received)

  await row.getByRole('button').click()
  const ask = page.getByRole('alertdialog')
  await expect(ask).toContainText(agreement.code)
  await ask.getByRole('button', { name: agreements.refuse, exact: true }).click()
  await expect(row).toContainText(agreements.status.refused)
  expect(await db().$count(userAgreements, eq(userAgreements.userId, id))).toBe(0)

  await page.getByRole('link', { name: t.account.history, exact: true }).click()
  const acts = page.locator('main li').filter({ hasText: t.history.users.agreement })
  await expect(acts).toHaveCount(2)
})

test('nobody agrees to a version that they haven’t read', { tag: '@full' }, async ({ page, context }) => {
  const { id, url } = await somebodyThere(context)
  await page.goto(url)
  await takenOver(page)
  const row = page.getByRole('listitem').filter({ hasText: agreement.code })
  await expect(row).toContainText(agreements.status.notReceived)
  await raise()
  await row.getByRole('button').click()
  await expect(page.getByText(say('agreementSetError', { agree: 'true' }), { exact: true })).toBeVisible()
  expect(await db().$count(userAgreements, eq(userAgreements.userId, id))).toBe(0)
  // read anew, it is the new version that they agree to
  await page.reload()
  await takenOver(page)
  await row.getByRole('button').click()
  await expect(row).toContainText(agreements.status.received)
  const [acceptance] = await db().select().from(userAgreements).where(eq(userAgreements.userId, id))
  expect(acceptance).toMatchObject({ documentId: agreement.id, version: 2 })
})
