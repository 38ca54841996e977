import { eq } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { db } from '@/db/client'
import { applications } from '@/db/schema/platform'
import { webhooks } from '@/db/schema/webhooks'
import { newApplication } from '../factories/applications'
import { type Received, startReceiver } from '../factories/webhook-receiver'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { asOwn } from './signed-in'
import { spokenIn } from './spoken'
import { hearing, putLog, putWebhook, webhookCard, webhooksOf } from './webhook-rows'

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

const { language, words } = spokenIn(import.meta.filename)
const { webhooks: t, ui, errors, snackbar, applications: of } = words
const named = (text: string, name: string) => text.replace('{name}', name)

/** Changes that a webhook hears of: applications that are made. `remove` takes them away. */
function changes() {
  const made: string[] = []
  return {
    make: async () => {
      const { id } = await newApplication()
      made.push(id)
      return id
    },
    remove: async () => {
      for (const id of made) await db().delete(applications).where(eq(applications.id, id))
    },
  }
}
/** What a receiver has got about an object, whatever other tests do. */
const messagesAbout = (received: Received[], id: string) =>
  received.filter(({ body }) => (JSON.parse(body) as { data: { id?: string } }).data.id === id)

test('a webhook is made, tried and hears of a change, and its log has the message', async ({ page, context }) => {
  const receiver = await startReceiver()
  const application = await hearing(['applications.read'])
  const { make, remove } = changes()
  try {
    await asOwn(context, 'administrator', language)
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

    const changed = await make()
    const heard = () => messagesAbout(receiver.received, changed)
    await expect.poll(() => heard().map(typeOf), { timeout: 20_000 }).toEqual(['application.created'])
    await page.getByRole('navigation', { name: ui.card.tabs }).getByRole('link', { name: t.tabs.deliveries }).click()
    const row = page.getByRole('row').filter({ hasText: 'application.created' })
    await expect(row).toContainText(t.statuses.success)
    await row.getByRole('button').last().click()
    await page.getByRole('menuitem', { name: ui.view }).click()
    const message = page.getByRole('dialog', { name: `${t.objects.application}: ${t.acts.created}` })
    await expect(message.getByText(changed)).toBeVisible()
    const download = page.waitForEvent('download')
    await message.getByRole('button', { name: `${t.download}: ${t.request}` }).click()
    expect((await download).suggestedFilename()).toBe(`${heard().map(idOf)[0]}-request.json`)
  } finally {
    await application.remove()
    await remove()
    receiver.close()
  }
})

test('a webhook gets a new secret, replays, and is disabled and deleted', { tag: '@full' }, async ({
  page,
  context,
  baseURL,
}) => {
  const receiver = await startReceiver()
  const application = await hearing(['applications.read'])
  const { make, remove } = changes()
  try {
    await asOwn(context, 'administrator', language)
    const data = { name: 'Склад', url: receiver.url, types: ['application.created'] }
    const answer = await context.request.post(
      `${baseURL}/api/v1/platform/setting/applications/${application.id}/webhooks`,
      { data, headers: { origin: baseURL ?? '' } },
    )
    const { id, secret } = (await answer.json()) as { id: string; secret: string }
    const heard = async (changed: string) => {
      await expect.poll(() => messagesAbout(receiver.received, changed).length, { timeout: 20_000 }).toBe(1)
      return messagesAbout(receiver.received, changed)[0] as Received
    }
    const first = await heard(await make())
    expect(isSignedBy(first, secret)).toBe(true)

    await page.goto(webhookCard({ applicationId: application.id, id }))
    await page.getByRole('button', { name: t.rotate }).click()
    const rotating = page.getByRole('dialog', { name: named(t.rotateTitle, 'Склад') })
    await rotating.getByRole('button', { name: t.rotateVerb }).click()
    await rotating.getByRole('button', { name: ui.secret.show.replace('{what}', t.secret) }).click()
    const second = (await rotating.locator('code').textContent()) ?? ''
    await rotating.getByRole('button', { name: ui.done }).click()
    await expect(page.getByText(t.previousSecret, { exact: true })).toBeVisible()
    const both = await heard(await make())
    expect([secret, second].map((by) => isSignedBy(both, by))).toEqual([true, true])
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
    const again = (one: Received) => receiver.received.filter((each) => idOf(each) === idOf(one) && each !== one)
    await expect.poll(() => [again(first).length, again(both).length], { timeout: 20_000 }).toEqual([1, 1])
    const [last] = again(first)
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
    await remove()
    receiver.close()
  }
})

test('a wrong webhook isn’t made, a failing receiver is told, a stopped one says how to go on, and an auditor changes nothing', {
  tag: '@full',
}, async ({ page, context, browser, baseURL }) => {
  const receiver = await startReceiver(() => ({ status: 500, body: 'out of order' }))
  const application = await hearing(['users.read'])
  try {
    await asOwn(context, 'administrator', language)
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
    await asOwn(theirs, 'auditor', language)
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
