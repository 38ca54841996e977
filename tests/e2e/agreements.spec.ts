import { eq } from 'drizzle-orm'
import { createTranslator } from 'next-intl'
import { db } from '@/db/client'
import { documentLocales, documents, domainAgreements, userAgreements } from '@/db/schema'
import { baseDomainId, requiredAgreement } from '../factories/agreements'
import { localeId } from '../factories/platform'
import { expect, test } from './fixtures'
import { person } from './people'
import { languages } from './sign-in-page'
import { signInAs, takenOver } from './signed-in'
import { wordsOf } from './words'

const path = '/platform/profile/personal?tab=agreements'

/** An agreement that the profile shows and signing in doesn't need. */
async function optionalAgreement() {
  const agreement = await requiredAgreement([])
  const shown = { domainId: await baseDomainId(), documentId: agreement.id, profileVisible: true }
  await db().insert(domainAgreements).values(shown)
  return agreement
}

/** Raises the version of a document, as its editor does who wants people to agree again. */
async function raise({ id, name }: { id: string; name: string }) {
  const text = { name, linkName: 'правила', content: 'Новый текст', localeId: await localeId('ru') }
  await db()
    .insert(documentLocales)
    .values({ ...text, documentId: id, version: 2 })
  await db().update(documents).set({ version: 2 }).where(eq(documents.id, id))
}

for (const language of languages) {
  const t = wordsOf(language)
  const { agreements } = t.profile
  const say = createTranslator({ locale: language, messages: t, namespace: 'snackbar' })

  test(`people agree, take the consent back, and find both in their history (${language})`, async ({
    page,
    context,
    database: _,
  }) => {
    const agreement = await optionalAgreement()
    try {
      const { login, id } = await person(['credentials'])
      await signInAs(context, login, language)
      await page.goto(path)
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
    } finally {
      await db().delete(documents).where(eq(documents.id, agreement.id))
    }
  })

  test(`nobody agrees to a version that they haven’t read (${language})`, async ({ page, context, database: _ }) => {
    const agreement = await optionalAgreement()
    try {
      const { login, id } = await person(['credentials'])
      await signInAs(context, login, language)
      await page.goto(path)
      await takenOver(page)
      const row = page.getByRole('listitem').filter({ hasText: agreement.code })
      await expect(row).toContainText(agreements.status.notReceived)
      await raise(agreement)
      await row.getByRole('button').click()
      await expect(page.getByText(say('agreementSetError', { agree: 'true' }), { exact: true })).toBeVisible()
      expect(await db().$count(userAgreements, eq(userAgreements.userId, id))).toBe(0)
      // read anew, it is the new version that they agree to
      await page.reload()
      await takenOver(page)
      await row.getByRole('button').click()
      await expect(row).toContainText(agreements.status.received)
      const [kept] = await db().select().from(userAgreements).where(eq(userAgreements.userId, id))
      expect(kept).toMatchObject({ documentId: agreement.id, version: 2 })
    } finally {
      await db().delete(documents).where(eq(documents.id, agreement.id))
    }
  })
}
