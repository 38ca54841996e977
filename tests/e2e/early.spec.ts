import type { Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { preHydrationEvents } from '@/components/hydration/pre-hydration-events'
import { typeAhead } from '@/components/hydration/type-ahead'
import { db } from '@/db/client'
import { networkAliases } from '@/db/schema/platform'
import { baseDomainId } from '../factories/agreements'
import { expect, test } from './fixtures'
import { withoutScripts } from './late-scripts'
import { ownPerson } from './own-people'
import { person, speak } from './people'
import { password, SignInPage } from './sign-in-page'
import { asOwn, takenOver } from './signed-in'
import { spokenIn } from './spoken'

// input before a page's scripts have run (ADR 36)
test.describe.configure({ mode: 'parallel' })

const { language, words } = spokenIn(import.meta.filename)
test.beforeEach(({ context, baseURL }) => speak(context, language, baseURL))

test('a shortcut that is pressed early opens what its button opens', { tag: '@full' }, async ({ page, context }) => {
  await asOwn(context, 'administrator', language)
  const scripts = await withoutScripts(page)
  await scripts.open('/platform/setting')
  const button = page.locator('button[aria-keyshortcuts]')
  await expect(button).toBeVisible()
  await page.keyboard.press('Control+k')
  scripts.come()
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
})

/** What a page keeps where others could read it. */
const storedIn = (page: Page) =>
  page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state]))

test('a password that is typed early after Enter is hidden until its field is there', async ({ page }) => {
  const { login } = await ownPerson('employee')
  const scripts = await withoutScripts(page)
  const form = new SignInPage(page, language)
  await scripts.open('/platform/login')
  await form.identifier.pressSequentially(login)
  await page.keyboard.press('Enter')
  await page.keyboard.type(`${password}x`)
  await page.keyboard.press('Backspace')
  await expect(form.identifier).toHaveValue(login)
  expect(await storedIn(page)).not.toContain(password)
  scripts.come()
  await expect(form.passwordField).toHaveValue(password)
  expect(await storedIn(page)).not.toContain(password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/platform/apps')
})

test('a password that is typed early is dropped where a code is asked for', async ({ page, database: _ }) => {
  const user = await person(['email_code'])
  const scripts = await withoutScripts(page)
  const form = new SignInPage(page, language)
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.url() + (request.postData() ?? '')))
  await scripts.open('/platform/login')
  await form.identifier.pressSequentially(user.login)
  await page.keyboard.press('Enter')
  await page.keyboard.type('482915')
  await expect(form.identifier).toHaveValue(user.login)
  scripts.come()
  const code = page.getByLabel(form.t.entry.code.label, { exact: true })
  await expect(code).toBeFocused()
  await expect(code).toHaveValue('')
  expect(sent.filter((each) => each.includes('482915'))).toEqual([])
  await page.keyboard.type('1')
  await expect(code).toHaveValue('1')
})

test('what is typed ahead is dropped when the person goes elsewhere', async ({ page }) => {
  await page.setContent(
    `<form data-type-ahead><input id="name" value="ivan"><button type="submit">Next</button></form>
    <form id="plain"><input id="more"></form><button id="other" type="button">Another account</button>`,
  )
  await page.evaluate(() => addEventListener('submit', (event) => event.preventDefault()))
  await page.evaluate(typeAhead)
  const name = page.locator('#name')
  const takenText = () => page.evaluate(() => window.takeTyped?.())
  const submitted = async () => {
    await name.fill('ivan')
    await name.press('Enter')
    await page.keyboard.type('Secret')
    await expect(name).toHaveValue('ivan')
  }
  await submitted()
  // a second Enter sends the same again, and what was typed stays
  await page.keyboard.press('Enter')
  expect(await takenText()).toBe('Secret')
  expect(await takenText()).toBe('')

  const ways: Record<string, () => Promise<unknown>> = {
    'another account': () => page.locator('#other').click(),
    'the field': () => name.click(),
    'the next control': () => page.keyboard.press('Tab'),
    'the escape key': () => page.keyboard.press('Escape'),
    back: () => page.evaluate(() => dispatchEvent(new PopStateEvent('popstate'))),
    'another page': () => page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide'))),
    autofill: () =>
      name.evaluate((field: HTMLInputElement) => {
        field.value = 'anna'
        field.dispatchEvent(new Event('input', { bubbles: true }))
      }),
    'a replaced identifier': async () => {
      await name.selectText()
      await page.keyboard.insertText('anna')
      await expect(name).toHaveValue('anna')
    },
    'everything selected': async () => {
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type('anna')
      await expect(name).toHaveValue('anna')
    },
    'half a character': () =>
      name.evaluate((field) => field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Dead', bubbles: true }))),
    'an input method': async () => {
      await name.evaluate((field: HTMLInputElement) => {
        field.value = 'ivanSecret'
        const inputType = 'insertCompositionText'
        field.dispatchEvent(new InputEvent('input', { inputType, data: 'Secret', bubbles: true }))
      })
      await expect(name).toHaveValue('ivan')
    },
  }
  for (const [way, go] of Object.entries(ways)) {
    await submitted()
    await go()
    expect(await takenText(), way).toBe('')
  }

  // other forms keep nothing
  await page.locator('#more').fill('a')
  await page.keyboard.press('Enter')
  await page.keyboard.type('b')
  await expect(page.locator('#more')).toHaveValue('ab')
  expect(await takenText()).toBe('')
})

test('the language of the sign-in page changes, and the input stays', { tag: '@full' }, async ({ page }) => {
  const scripts = await withoutScripts(page)
  const form = new SignInPage(page, language)
  await scripts.open('/platform/login')
  await form.identifier.fill('somebody')
  await page.getByRole('button', { name: words.common.chooseLanguage.split(':')[0] }).click()
  scripts.come()
  await page.getByRole('menuitemradio', { name: language === 'ru' ? 'English' : 'Русский' }).click()
  await expect(new SignInPage(page, language === 'ru' ? 'en' : 'ru').identifier).toHaveValue('somebody')
})

test('early clicks open a list’s dialog and a row’s menu', { tag: '@full' }, async ({ page, context }) => {
  await asOwn(context, 'administrator', language)
  const { 'network-aliases': t, ui } = words
  const name = 'E2E early'
  await db().insert(networkAliases).values({ name }).onConflictDoNothing()
  const scripts = await withoutScripts(page)
  await scripts.open('/platform/setting/network-aliases')
  await page.getByRole('button', { name: t.create }).first().click()
  scripts.come()
  await expect(page.getByRole('dialog', { name: t.createTitle })).toBeVisible()

  const late = await withoutScripts(page)
  await late.open(`/platform/setting/network-aliases?filter[search]=${name}`)
  await page.getByRole('row').filter({ hasText: name }).getByRole('button').click()
  late.come()
  await expect(page.getByRole('menuitem', { name: ui.edit })).toBeVisible()
  await db().delete(networkAliases).where(eq(networkAliases.name, name))
})

test('a click is repeated only on what the person saw, and not if they click again', async ({ page }) => {
  await page.setContent(
    `<button id="same" type="button">Open<span aria-hidden="true">Ctrl K</span></button>
    <button id="other" type="button">Open</button>
    <button id="switch" type="button" aria-checked="false">Main</button>
    <button id="again" type="button">Save</button>
    <button id="later" type="button">More</button>
    <form><button id="send">Send</button></form>`,
  )
  await page.evaluate(preHydrationEvents)
  for (const id of ['same', 'other', 'switch', 'again', 'later', 'send']) await page.locator(`#${id}`).click()
  const done = await page.evaluate(async () => {
    const buttonOf = (id: string) => document.getElementById(id) as HTMLButtonElement
    const seen: string[] = []
    document.addEventListener('click', ({ target }) => void seen.push((target as Element).closest('button')?.id ?? ''))
    document.addEventListener('submit', (event) => {
      event.preventDefault()
      seen.push('form')
    })
    // React takes over and renders newer content in the same elements
    const take = (element: Element) => Object.assign(element, { __reactProps$x: {} })
    for (const element of document.querySelectorAll('*:not(#later)')) take(element)
    buttonOf('same').lastElementChild?.replaceChildren('⌘K')
    buttonOf('other').textContent = 'Delete'
    buttonOf('switch').setAttribute('aria-checked', 'true')
    window.pageAlive?.()
    buttonOf('again').click()
    buttonOf('send').form?.requestSubmit()
    // what is taken over last is repeated last
    const repeated = new Promise((resolve) => buttonOf('later').addEventListener('click', resolve))
    setTimeout(() => take(buttonOf('later')))
    await repeated
    return seen
  })
  expect(done.sort()).toEqual(['again', 'form', 'later', 'same'])
})

test('a page that says its name takes over its streamed parts later, in small pieces', { tag: '@full' }, async ({
  page,
  context,
  database: _,
}) => {
  await asOwn(context, 'administrator', language)
  await page.addInitScript(() => {
    let alive: () => void = () => {}
    Object.defineProperty(window, 'pageAlive', {
      set: (given: () => void) => {
        alive = given
      },
      get: () => () => {
        alive()
        // comes after everything that React does in the same task
        queueMicrotask(() => {
          const fields = [...document.querySelectorAll('main form input')]
          const hydrated = fields.filter((field) => Object.keys(field).some((key) => key.startsWith('__reactProps')))
          Object.assign(window, { withThePage: { fields: fields.length, taken: hydrated.length } })
        })
      },
    })
  })
  const scripts = await withoutScripts(page)
  await scripts.open(`/platform/setting/domains/${await baseDomainId()}`)
  // the streamed part is there before anything takes it over
  await expect(page.locator('main form input').first()).toBeVisible()
  scripts.come()
  await takenOver(page)
  const withThePage = await page.evaluate(() => (window as unknown as { withThePage: object }).withThePage)
  expect(withThePage).toEqual({ fields: expect.any(Number), taken: 0 })
  expect(withThePage).not.toMatchObject({ fields: 0 })
})
