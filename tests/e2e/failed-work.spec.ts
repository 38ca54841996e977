import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { messages } from '@/db/schema/operations'
import { invalidate } from '@/lib/base/cache/cache'
import { first } from '../factories/platform'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { asOwn, takenOver } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const { overview, snackbar, users, errors } = words
const t = overview.failedMessages

/** A message that was given up, to an address of its own. */
async function givenUp() {
  const recipient = `e2e-${randomUUID().slice(0, 8)}@polaris.example`
  const row = first(
    await db()
      .insert(messages)
      .values({
        ...{ kind: 'email', template: 'news', recipient, locale: 'ru', content: 'sealed', status: 'failed' },
        ...{ attempts: 14, error: 'the mail server answered 550' },
      })
      .returning(),
  )
  await invalidate(db(), 'overview')
  return row
}

test('a message that was given up is found on the overview and sent again', async ({ page, context, database: _ }) => {
  const [sent, decided] = [await givenUp(), await givenUp()]
  await asOwn(context, 'administrator', language)
  await page.goto('/platform/setting')
  await takenOver(page)
  const section = page.getByRole('region', { name: t.title })
  const buttonOf = (recipient: string) =>
    section.getByRole('button', {
      name: t.retryNamed.replace(
        '{message}',
        `${t.line.replace('{kind}', t.email).replace('{template}', users.templates.news)}, ${recipient}`,
      ),
    })
  await buttonOf(sent.recipient).click()
  await expect(page.getByText(snackbar.messageRetry, { exact: true })).toBeVisible()
  await expect(section.getByText(sent.recipient)).toHaveCount(0)

  // somebody else has sent it again meanwhile
  await db().update(messages).set({ status: 'sent' }).where(eq(messages.id, decided.id))
  await buttonOf(decided.recipient).click()
  await expect(page.getByText(errors.conflict).or(page.getByText(snackbar.messageRetryError)).first()).toBeVisible()
  for (const { id } of [sent, decided]) await db().delete(messages).where(eq(messages.id, id))
  await invalidate(db(), 'overview')
})
