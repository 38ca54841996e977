import { eq } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { db } from '@/db/client'
import { applications } from '@/db/schema/platform'
import { webhooks } from '@/db/schema/webhooks'
import { newApplication } from '../factories/applications'
import { type Received, startReceiver } from '../factories/webhook-receiver'
import { expect, test } from './fixtures'
import { languages } from './sign-in-page'
import { asPerson } from './signed-in'
import { hearing, putLog, putWebhook, webhookCard, webhooksOf } from './webhook-rows'
import { wordsOf } from './words'

const isSignedBy = ({ body, headers }: Received, secret: string) => {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}
const typeOf = ({ body }: Received) => (JSON.parse(body) as { type: string }).type
const idOf = ({ headers }: Received) => headers['webhook-id']

for (const language of languages) {
  const { webhooks: t, ui, errors, snackbar, applications: of } = wordsOf(language)
  const named = (text: string, name: string) => text.replace('{name}', name)

  test(`a webhook is made, tried, hears of a change, gets a new secret, replays, and is deleted, ${language}`, async ({
    page,
    context,
  }) => {
    const receiver = await startReceiver()
    const application = await hearing(['applications.read'])
    const others: string[] = []
    const change = async () => others.push((await newApplication()).id)
    try {
      await asPerson(context, 'admin', language)
      await page.goto(webhooksOf(application.id))
      await expect(page.getByRole('heading', { name: t.emptyTitle })).toBeVisible()
      await page.getByRole('button', { name: t.create }).click()
      const dialog = page.getByRole('dialog', { name: t.createTitle })
      await dialog.getByLabel(t.name, { exact: true }).fill('Склад')
      await dialog.getByLabel(t.url, { exact: true }).fill(receiver.url)
      await dialog.getByRole('checkbox', { name: `${t.objects.application}: ${t.acts.created}` }).click()
      await dialog.getByRole('button', { name: ui.create, exact: true }).click()
      await expect(dialog.getByText(t.secretOnce)).toBeVisible()
      await dialog.getByRole('button', { name: ui.secret.show.replace('{what}', t.secret) }).click()
      const secret = (await dialog.locator('code').textContent()) ?? ''
      expect(secret).toMatch(/^whsec_/)
      await dialog.getByRole('button', { name: ui.done }).click()
      await expect(dialog).toBeHidden()
      expect(await page.content()).not.toContain(secret)

      await page.getByRole('link', { name: 'Склад' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Склад' })).toBeVisible()
      await page.getByRole('button', { name: t.test }).click()
      const testing = page.getByRole('dialog', { name: named(t.testTitle, 'Склад') })
      await testing.getByRole('button', { name: t.testVerb }).click()
      await expect(testing.getByText(t.testArrived)).toBeVisible()
      await testing.getByRole('button', { name: ui.close }).last().click()
      expect(receiver.received.map((one) => [typeOf(one), isSignedBy(one, secret)])).toEqual([['webhook.test', true]])

      await change()
      await expect.poll(() => receiver.received.map(typeOf), { timeout: 20_000 }).toContain('application.created')
      await page.getByRole('navigation', { name: ui.card.tabs }).getByRole('link', { name: t.tabs.deliveries }).click()
      const row = page.getByRole('row').filter({ hasText: 'application.created' })
      await expect(row).toContainText(t.statuses.success)
      await row.getByRole('button').last().click()
      await page.getByRole('menuitem', { name: ui.view }).click()
      const message = page.getByRole('dialog', { name: `${t.objects.application}: ${t.acts.created}` })
      await expect(message.getByText(others[0] ?? '-')).toBeVisible()
      const download = page.waitForEvent('download')
      await message.getByRole('button', { name: `${t.download}: ${t.request}` }).click()
      expect((await download).suggestedFilename()).toBe(`${receiver.received.map(idOf)[1]}-request.json`)
      await message.getByRole('button', { name: ui.close }).last().click()

      await page.getByRole('navigation', { name: ui.card.tabs }).getByRole('link', { name: t.tabs.main }).click()
      await page.getByRole('button', { name: t.rotate }).click()
      const rotating = page.getByRole('dialog', { name: named(t.rotateTitle, 'Склад') })
      await rotating.getByRole('button', { name: t.rotateVerb }).click()
      await rotating.getByRole('button', { name: ui.secret.show.replace('{what}', t.secret) }).click()
      const second = (await rotating.locator('code').textContent()) ?? ''
      await rotating.getByRole('button', { name: ui.done }).click()
      await expect(page.getByText(t.previousSecret, { exact: true })).toBeVisible()
      await change()
      await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(3)
      const [ids, third] = [receiver.received.map(idOf), receiver.received[2]]
      expect(third && [secret, second].map((by) => isSignedBy(third, by))).toEqual([true, true])
      await page.getByRole('button', { name: t.endPrevious }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: t.endPreviousVerb }).click()
      await expect(page.getByText(t.previousSecret, { exact: true })).toBeHidden()

      await page.getByRole('button', { name: t.replaySpan }).click()
      const replaying = page.getByRole('dialog', { name: named(t.replaySpanTitle, 'Склад') })
      // the field has minutes: the end is after what has just happened
      await replaying.getByLabel(t.to, { exact: true }).fill('2099-01-01T00:00')
      await replaying.getByRole('button', { name: t.replayVerb, exact: true }).click()
      await replaying.getByRole('button', { name: ui.done }).click()
      // the span has what other tests did too
      const again = (at: number) => receiver.received.slice(3).filter((one) => idOf(one) === ids[at])
      await expect.poll(() => [again(1).length, again(2).length], { timeout: 20_000 }).toEqual([1, 1])
      const [last] = again(1)
      expect(last && [secret, second].map((by) => isSignedBy(last, by))).toEqual([false, true])

      await page.locator('main header [data-row-action]').last().click()
      await page.getByRole('menuitem', { name: ui.disable }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: ui.disable }).click()
      await expect(page.locator('#main').getByText(t.stopped.person)).toBeVisible()
      await page.locator('main header [data-row-action]').last().click()
      await page.getByRole('menuitem', { name: ui.delete }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: ui.delete }).click()
      await expect(page.getByRole('heading', { name: t.emptyTitle })).toBeVisible()
    } finally {
      await application.remove()
      for (const id of others) await db().delete(applications).where(eq(applications.id, id))
      receiver.close()
    }
  })

  test(`a wrong webhook isn’t made, a failing receiver is told, a stopped one says how to go on, and an auditor changes nothing, ${language}`, async ({
    page,
    context,
    browser,
    baseURL,
  }) => {
    const receiver = await startReceiver(() => ({ status: 500, body: 'out of order' }))
    const application = await hearing(['users.read'])
    try {
      await asPerson(context, 'admin', language)
      await page.goto(webhooksOf(application.id))
      await page.getByRole('button', { name: t.create }).click()
      const dialog = page.getByRole('dialog', { name: t.createTitle })
      await dialog.getByLabel(t.url, { exact: true }).fill('https://name:word@receiver.example/')
      await dialog.getByRole('button', { name: ui.create, exact: true }).click()
      await expect(dialog.getByText(errors.errorWebhookAddress).first()).toBeVisible()
      // events of an area that the service account may not read aren't offered, and the reason is there
      await expect(dialog.getByRole('checkbox', { name: `${t.objects.user}: ${t.acts.created}` })).toBeVisible()
      await expect(dialog.getByRole('checkbox', { name: `${t.objects.role}: ${t.acts.created}` })).toHaveCount(0)
      await dialog.locator('summary').click()
      await expect(dialog.getByText('roles.read')).toBeVisible()
      await page.keyboard.press('Escape')
      await page.getByRole('alertdialog').getByRole('button', { name: ui.unsaved.leave }).click()
      expect(await db().$count(webhooks, eq(webhooks.applicationId, application.id))).toBe(0)

      const made = await putWebhook(application.id, {
        url: `${receiver.url}?key=token-of-the-test`,
        types: ['user.deleted'],
        disabledReason: 'failed',
      })
      await putLog(made.id)
      await page.goto(webhookCard(made))
      await expect(page.getByText('?key=token-of-the-test').filter({ visible: true }).first()).toBeVisible()
      // a streamed part stands twice for a moment
      await expect(page.getByText(t.stopped.failed).filter({ visible: true })).toBeVisible()
      await page.getByRole('button', { name: t.test }).click()
      const testing = page.getByRole('dialog')
      await testing.getByRole('button', { name: t.testVerb }).click()
      await expect(testing.getByText(errors.webhookAnswer)).toBeVisible()
      await expect(testing.getByText('out of order')).toBeVisible()
      await testing.getByRole('button', { name: ui.close }).last().click()
      // what is disabled replays nothing
      await page.locator('main header [data-row-action]').last().click()
      await expect(page.getByText(errors.webhookDisabled)).toBeVisible()
      await page.keyboard.press('Escape')

      // somebody saves the same webhook meanwhile
      await page.getByRole('button', { name: `${ui.edit}: ${t.what}` }).click()
      await page.getByLabel(t.name, { exact: true }).fill('Моё название')
      await db().update(webhooks).set({ name: 'Чужое название' }).where(eq(webhooks.id, made.id))
      await page.getByRole('button', { name: ui.save }).click()
      const panel = page.getByRole('group', { name: ui.conflict.label })
      await expect(panel.getByText('Чужое название')).toBeVisible()
      await panel.getByRole('radio', { name: ui.conflict.mine }).first().click()
      await page.getByRole('button', { name: ui.save }).click()
      await expect(page.getByText(snackbar.webhookUpdate)).toBeVisible()
      await expect(page.getByRole('heading', { level: 1, name: 'Моё название' })).toBeVisible()

      const theirs = await browser.newContext({ baseURL })
      await asPerson(theirs, 'auditor', language)
      const looking = await theirs.newPage()
      await looking.goto(webhookCard(made))
      await expect(looking.getByText(t.stopped.failed).filter({ visible: true })).toBeVisible()
      await expect(looking.getByText(`${receiver.url}?key=***`).filter({ visible: true }).first()).toBeVisible()
      expect(await looking.content()).not.toContain('token-of-the-test')
      await expect(looking.getByRole('button', { name: t.test })).toHaveCount(0)
      await expect(looking.getByRole('button', { name: t.rotate })).toHaveCount(0)
      await looking.goto(webhooksOf(application.id))
      await expect(looking.getByText(of.tabs.webhooks).first()).toBeVisible()
      await expect(looking.getByRole('button', { name: t.create })).toHaveCount(0)
      await theirs.close()
    } finally {
      await application.remove()
      receiver.close()
    }
  })
}
