import type { Page } from '@playwright/test'
import { eq, inArray } from 'drizzle-orm'
import { db } from '@/db/client'
import { settings, userSettings, users } from '@/db/schema'
import { invalidate } from '@/lib/base/cache/cache'
import type { Kind } from '../factories/demo'
import type { Account } from './own-people'
import type { Language } from './sign-in-page'
import { asOwn } from './signed-in'

export const phone = { width: 360, height: 760 }
export const procurement = 'https://procurement.polaris.example/'
export const host = (baseURL: string | undefined) => baseURL ?? ''

/**
 * Signs in as the test file's own account of this kind, which it returns, and opens a page. Services are intercepted, so
 * that no test opens their own sites.
 */
export async function at(page: Page, kind: Kind, path: string, language: Language = 'ru'): Promise<Account> {
  await page.route('**://*.polaris.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>service</title>' }),
  )
  const person = await asOwn(page.context(), kind, language)
  await page.goto(path)
  return person
}

/** Waits until the server has stored this choice of the person; the page stores others too, such as the time zone. */
export const choiceKept = (page: Page, choice: string) =>
  page.waitForResponse(
    (answer) => answer.url().endsWith('/users/settings') && choice in (answer.request().postDataJSON()?.settings ?? {}),
  )

/** Deletes the choices of an account, so that tests don't affect each other. */
export const forgetChoices = async (login: string) => {
  const [user] = await db().select({ id: users.id }).from(users).where(eq(users.login, login))
  await db()
    .delete(userSettings)
    .where(eq(userSettings.userId, user?.id ?? ''))
}

export const store = (values: Record<string, unknown>) =>
  db().transaction(async (tx) => {
    for (const [id, value] of Object.entries(values))
      await tx.insert(settings).values({ id, value }).onConflictDoUpdate({ target: settings.id, set: { value } })
    await invalidate(tx, 'settings')
  })
export const reset = (...ids: string[]) =>
  db().transaction(async (tx) => {
    await tx.delete(settings).where(inArray(settings.id, ids))
    await invalidate(tx, 'settings')
  })

export const overflows = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
export const heading = (page: Page) => page.getByRole('heading', { level: 1 })
