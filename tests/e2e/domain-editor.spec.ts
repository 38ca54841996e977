import { eq, inArray, like } from 'drizzle-orm'
import { db } from '@/db/client'
import { applicationDomains, applications, domainAliases, domainLocales, domains, locales } from '@/db/schema/platform'
import { invalidate } from '@/lib/base/cache/cache'
import { newApplication } from '../factories/applications'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { asOwn, settled } from './signed-in'
import { spokenIn } from './spoken'

// docs/rules/domains.md#editor

const { language, words } = spokenIn(import.meta.filename)
const { domains: t, ui, snackbar, errors } = words

const forget = async () => {
  await db().delete(domains).where(like(domains.comment, 'E2E editor%'))
  await db().transaction((tx) => invalidate(tx, 'domains'))
}
test.beforeEach(async ({ database: _ }) => forget())
test.afterAll(forget)

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><script>document.title='x'</script>
  <rect width="8" height="8" fill="#7a1fa2" onload="alert(1)"/></svg>`

test('what the editor sets is what people see on the domain', async ({ page, context, browser }) => {
  const host = 'e2e-editor.localhost'
  const [ownDomain] = await db().insert(domains).values({ comment: 'E2E editor' }).returning()
  await db()
    .insert(domainAliases)
    .values({ host, domainId: ownDomain?.id ?? '' })
  await db().transaction((tx) => invalidate(tx, 'domains'))
  await asOwn(context, 'administrator', language)
  await page.goto(`/platform/setting/domains/${ownDomain?.id}`)
  const tab = (name: keyof typeof t.tabs) => page.getByRole('tab', { name: new RegExp(`^${t.tabs[name]}`) }).click()
  const choose = async (button: string, text: string) => {
    await page.getByRole('button', { name: button, exact: true }).click()
    await page.getByPlaceholder(ui.form.search).fill(text)
    await page
      .getByRole('option', { name: new RegExp(text) })
      .first()
      .click()
  }

  // texts: the domain had none; Russian is the first language
  await page.getByRole('button', { name: t.addTexts.replace('{locale}', 'Русский') }).click()
  await page.getByLabel(t.projectTitle, { exact: true }).fill('Портал редактора')
  await page.getByLabel(t.projectName, { exact: true }).fill('Редактор')
  await choose(t.addBanner, 'Станьте поставщиком')
  await page.getByRole('button', { name: t.addTechnical, exact: true }).click()
  await page.getByLabel(t.technicalTitle, { exact: true }).fill('Дежурный')
  await page.getByLabel(t.technicalText, { exact: true }).fill('duty@polaris.example')
  await page.getByLabel(t.technicalLink, { exact: true }).fill('javascript:alert(1)')

  // agreements with their flags, and what people sign in with
  await tab('documents')
  await choose(t.addAgreement, language === 'ru' ? 'соглашение' : 'agreement')
  await page.getByLabel(t.flags.menuVisible, { exact: true }).first().check()
  await tab('devices')
  const device = page.locator('[data-panel=devices] li').first()
  await device.getByLabel(t.kinds.login, { exact: true }).uncheck()
  const save = page.getByRole('button', { name: ui.saveBar.save, exact: true })
  await save.click()
  // the tab with the error opens, and nothing is stored
  await expect(page.getByText(errors.errorContactLink).first()).toBeVisible()
  const [before] = await db()
    .select()
    .from(domains)
    .where(eq(domains.id, ownDomain?.id ?? ''))
  expect(before?.devicesIdAttributes).toEqual({})
  await page.getByLabel(t.technicalLink, { exact: true }).fill('mailto:duty@polaris.example')
  // a page that has been read anew and drawn follows the events of the account from its new state
  const anew = page
    .waitForResponse((answer) => answer.url().includes('_rsc=') && answer.url().includes(ownDomain?.id ?? ''))
    .then(() => page.waitForResponse('**/api/v1/platform/live'))
  await save.press('Enter')
  await expect(page.getByText(snackbar.domainsUpdate)).toBeVisible()
  // the bar went with its button: a keyboard goes on where it was, also when the page has been read anew
  await expect(page.getByRole('region', { name: ui.saveBar.unsaved })).toHaveCount(0)
  await expect(page.getByLabel(t.technicalLink, { exact: true })).toBeFocused()
  await anew
  await settled(page)
  await expect(page.getByLabel(t.technicalLink, { exact: true })).toBeFocused()

  // the logo is stored at once, without its script
  await tab('look')
  await page
    .locator('[data-panel=look] input[type=file]')
    .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(logo) })
  await expect(page.getByText(snackbar.domainLogoUpdate)).toBeVisible()

  const visitor = await (await browser.newContext({ locale: 'ru-RU' })).newPage()
  const served = Object.assign(new URL('/platform/login', process.env.PUBLIC_URL), { hostname: host })
  await visitor.goto(served.href)
  await expect(visitor).toHaveTitle(/Портал редактора/)
  await expect(visitor.getByRole('banner')).toContainText('Редактор')
  const seen = (text: string) => visitor.getByText(text).filter({ visible: true }).first()
  await expect(seen('Станьте поставщиком')).toBeVisible()
  const contact = visitor.getByRole('link', { name: 'duty@polaris.example' }).first()
  await expect(contact).toHaveAttribute('href', 'mailto:duty@polaris.example')
  await expect(visitor.locator('footer a[href*="/platform/law/"]').first()).toBeVisible()
  const mark = visitor.getByRole('banner').locator('img').first()
  await expect.poll(() => mark.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
  // a computer takes no login here
  await expect(visitor.getByLabel('Почта или телефон', { exact: true })).toBeVisible()
  await visitor.context().close()
})

test('a domain to which an application is limited stays, and so does the base domain', { tag: '@full' }, async ({
  page,
  context,
}) => {
  const host = 'e2e-editor-limited.localhost'
  const [limited] = await db().insert(domains).values({ comment: 'E2E editor limited' }).returning()
  const domainId = limited?.id ?? ''
  await db().insert(domainAliases).values({ host, domainId })
  const application = await newApplication()
  await db().insert(applicationDomains).values({ applicationId: application.id, domainId })
  try {
    await asOwn(context, 'administrator', language)
    const remove = async (searched: string) => {
      await page.goto(`/platform/setting/domains?filter[search]=${searched}`)
      await page.getByRole('row').nth(1).getByRole('button').last().click()
      await page.getByRole('menuitem', { name: ui.delete, exact: true }).click()
      return page.getByRole('alertdialog').or(page.getByRole('dialog'))
    }
    const ask = await remove(host)
    await ask.getByRole('button', { name: ui.delete, exact: true }).click()
    await expect(ask.getByText(errors.domainUsed)).toBeVisible()
    // the comment that the base domain is shipped with
    await expect((await remove('Базовый домен')).getByText(errors.domainBase)).toBeVisible()
    expect(await db().$count(domains, eq(domains.id, domainId))).toBe(1)
  } finally {
    await db().delete(applications).where(eq(applications.id, application.id))
  }
})

const settingsOf = (projectTitle: string) => ({
  projectTitle,
  projectName: projectTitle,
  copyright: '',
  siteName: '',
  siteLink: '',
  banners: [],
  technical: [],
})

/** A domain in Russian and English. */
async function inTwoLanguages() {
  const [made] = await db().insert(domains).values({ comment: 'E2E editor languages' }).returning()
  const shippedLocales = await db()
    .select()
    .from(locales)
    .where(inArray(locales.code, ['ru', 'en']))
  const domainId = made?.id ?? ''
  await db().insert(domainAliases).values({ host: 'e2e-editor-languages.localhost', domainId })
  await db()
    .insert(domainLocales)
    .values(
      shippedLocales.map(({ id: localeId, code }) => ({
        domainId,
        localeId,
        order: code === 'ru' ? 0 : 1,
        settings: settingsOf(code),
      })),
    )
  return domainId
}
const spokenBy = async (domainId: string) => {
  const rows = await db()
    .select({ code: locales.code, settings: domainLocales.settings, order: domainLocales.order })
    .from(domainLocales)
    .innerJoin(locales, eq(locales.id, domainLocales.localeId))
    .where(eq(domainLocales.domainId, domainId))
  return rows.toSorted((one, other) => one.order - other.order)
}

test('a language that was taken away before a conflict stays away', { tag: '@full' }, async ({ page, context }) => {
  const domainId = await inTwoLanguages()
  await asOwn(context, 'administrator', language)
  await page.goto(`/platform/setting/domains/${domainId}`)
  const english = page.getByRole('tab', { name: 'English' })
  await english.click()
  await page.getByRole('button', { name: ui.locales.remove.replace('{locale}', 'English') }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: ui.locales.removeVerb }).click()
  await expect(english).toHaveCount(0)
  const comment = 'E2E editor of somebody else'
  await db()
    .update(domains)
    .set({ comment, updatedAt: new Date(Date.now() + 1_000) })
    .where(eq(domains.id, domainId))
  const save = page.getByRole('button', { name: ui.saveBar.save, exact: true })
  await save.click()
  await expect(page.getByRole('group', { name: ui.conflict.label })).toBeVisible()
  await expect(english).toHaveCount(0)
  await expect(page.getByLabel(t.projectTitle, { exact: true })).toHaveValue('ru')
  await save.click()
  await expect(save).toHaveCount(0)
  expect((await spokenBy(domainId)).map(({ code }) => code)).toEqual(['ru'])
  expect(await db().$count(domains, eq(domains.comment, comment))).toBe(1)
})

test('what is typed while a domain is being saved stays, and is saved next', { tag: '@full' }, async ({
  page,
  context,
}) => {
  const domainId = await inTwoLanguages()
  await asOwn(context, 'administrator', language)
  await page.goto(`/platform/setting/domains/${domainId}`)
  let answer = () => {}
  const answered = new Promise<void>((done) => {
    answer = done
  })
  let calls = 0
  await page.route('**/api/v1/platform/setting/domains/**', async (route) => {
    if (route.request().method() === 'PUT' && calls++ === 0) await answered
    await route.continue()
  })
  const title = page.getByLabel(t.projectTitle, { exact: true }).first()
  const signature = page.getByLabel(t.projectName, { exact: true }).first()
  await title.fill('До')
  const save = page.getByRole('button', { name: ui.saveBar.save, exact: true })
  await save.click()
  await expect.poll(() => calls).toBe(1)
  await signature.fill('Во время')
  answer()
  await expect(page.getByText(snackbar.domainsUpdate)).toBeVisible()
  await expect(signature).toHaveValue('Во время')
  await expect(title).toHaveValue('До')
  // the page has been read anew
  await expect(page.getByRole('region', { name: ui.saveBar.unsaved })).toContainText(t.projectName)
  await expect(save).toBeEnabled()
  await expect.poll(async () => (await spokenBy(domainId))[0]?.settings.projectTitle).toBe('До')
  await save.click()
  await expect(save).toHaveCount(0)
  expect((await spokenBy(domainId))[0]?.settings).toMatchObject({ projectTitle: 'До', projectName: 'Во время' })
})

test('a tab that is opened before the browser had time to make it has its fields, and what is typed stays', {
  tag: '@full',
}, async ({ page, context }) => {
  const domainId = await inTwoLanguages()
  await asOwn(context, 'administrator', language)
  // the browser never has time
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0
  })
  await page.goto(`/platform/setting/domains/${domainId}`)
  const tab = (name: keyof typeof t.tabs) => page.getByRole('tab', { name: new RegExp(`^${t.tabs[name]}`) })
  await page.getByLabel(t.projectTitle, { exact: true }).first().fill('Рано')
  await expect(page.locator('[data-panel=addresses]')).toHaveCount(0)
  await tab('addresses').click()
  const comment = page.getByLabel(t.comment, { exact: true })
  await comment.fill('E2E editor early')
  await tab('look').click()
  await tab('texts').click()
  // a panel stays mounted, because what a field keeps to itself would be lost with it
  await expect(page.locator('[data-panel=addresses]').getByLabel(t.comment, { exact: true })).toHaveValue(
    'E2E editor early',
  )
  await expect(page.getByLabel(t.projectTitle, { exact: true }).first()).toHaveValue('Рано')
  await tab('addresses').click()
  await expect(comment).toHaveValue('E2E editor early')
  await page.getByRole('button', { name: ui.saveBar.save, exact: true }).click()
  await expect(page.getByText(snackbar.domainsUpdate)).toBeVisible()
  expect((await spokenBy(domainId))[0]?.settings.projectTitle).toBe('Рано')
  expect(await db().$count(domains, eq(domains.comment, 'E2E editor early'))).toBe(1)
})

test('the browser’s Back asks before it loses what is typed; a space at the end is no change', {
  tag: '@full',
}, async ({ page, context }) => {
  const domainId = await inTwoLanguages()
  await asOwn(context, 'administrator', language)
  await page.goto('/platform/setting/domains?filter[search]=E2E+editor')
  await page.locator(`main a[href$="${domainId}"]`).click()
  const title = page.getByLabel(t.projectTitle, { exact: true }).first()
  const goBack = () => page.evaluate(() => history.back())
  const bar = page.getByRole('region', { name: ui.saveBar.unsaved })
  const question = page.getByRole('alertdialog')
  await title.fill('Набрано')
  await expect(bar).toBeVisible()
  await goBack()
  await question.getByRole('button', { name: ui.unsaved.stay }).click()
  await expect(title).toHaveValue('Набрано')
  await expect(page).toHaveURL(new RegExp(domainId))
  await title.fill('ru  ')
  await title.press('Tab')
  await expect(title).toHaveValue('ru')
  await expect(bar).toHaveCount(0)
  await title.fill('Снова')
  await goBack()
  await question.getByRole('button', { name: ui.unsaved.leave }).click()
  await expect(page).toHaveURL(/\/domains(\?.*)?$/)
  // nothing is typed on the page that Forward shows
  await page.goForward()
  await expect(title).toHaveValue('ru')
  await goBack()
  await expect(page).toHaveURL(/\/domains(\?.*)?$/)
})
