import { eq } from 'drizzle-orm'
import { preHydrationEvents } from '@/components/hydration/pre-hydration-events'
import { db } from '@/db/client'
import { networkAliases } from '@/db/schema/platform'
import { baseDomainId } from '../factories/agreements'
import { expect, test } from './fixtures'
import { withoutScripts } from './late-scripts'
import { ownPerson } from './own-people'
import { person, speak } from './people'
import { choiceOf, password, SignInPage } from './sign-in-page'
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

test('the steps of a sign-in need no script that is still to come', async ({ page }) => {
  const { login } = await ownPerson('employee')
  const scripts = await withoutScripts(page)
  const form = new SignInPage(page, language)
  await scripts.open('/platform/login')
  await form.identifier.pressSequentially(login)
  await page.keyboard.press('Enter')
  await expect(form.passwordField).toBeFocused()
  await page.keyboard.type('wrong')
  await page.keyboard.press('Enter')
  await expect(form.passwordField).toHaveAttribute('aria-invalid', 'true')
  await expect(form.passwordField).toBeFocused()
  await page.keyboard.type(password)
  // a script that comes now changes nothing of it
  scripts.come()
  await takenOver(page)
  await expect(form.passwordField).toHaveValue(password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/platform/apps')
})

test('a script that is blocked after the first step, or comes five seconds late, is not missed', {
  tag: '@full',
}, async ({ page, outbox, database: _ }) => {
  const user = await person(['credentials'], ['email_code'])
  let requests = 0
  await page.route(/\/platform\/script\.js/, (route) => (requests++ === 0 ? route.continue() : route.abort()))
  const form = new SignInPage(page, language)
  await form.open()
  await takenOver(page)
  await form.enterIdentifier(user.login)
  await form.enterPassword('wrong')
  await expect(form.passwordField).toHaveAttribute('aria-invalid', 'true')
  await expect(page.locator('html')).not.toHaveAttribute('data-script')
  await page.unroute(/\/platform\/script\.js/)
  await page.route(/\/platform\/script\.js/, async (route) => {
    requests++
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    await route.continue().catch(() => undefined)
  })
  await form.enterPassword()
  const field = page.getByLabel(words.entry.code.label, { exact: true })
  await expect(field).toBeFocused()
  const { code } = await outbox(user.email)
  await field.fill(code)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/platform/profile')
  expect(requests).toBeGreaterThan(3)
})

test('the language of the sign-in page changes, and the input stays', { tag: '@full' }, async ({ page }) => {
  const scripts = await withoutScripts(page)
  const form = new SignInPage(page, language)
  await scripts.open('/platform/login')
  await form.identifier.fill('somebody')
  await choiceOf(page, words.common.chooseLanguage.split(':')[0] ?? '').click()
  scripts.come()
  await takenOver(page)
  await page.getByRole('button', { name: language === 'ru' ? 'English' : 'Русский' }).click()
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
    <div><button id="later" type="button">More</button><template data-part-end=""></template></div>
    <form><button id="send">Send</button></form>
    <template data-part-end=""></template>`,
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
    const take = (part: Element | null) => {
      part?.querySelector(':scope > template')?.setAttribute('data-part-end', 'hydrated')
      window.partHydrated?.()
    }
    buttonOf('same').lastElementChild?.replaceChildren('⌘K')
    buttonOf('other').textContent = 'Delete'
    buttonOf('switch').setAttribute('aria-checked', 'true')
    take(document.body)
    buttonOf('again').click()
    buttonOf('send').form?.requestSubmit()
    // what is taken over last is repeated last
    const repeated = new Promise((resolve) => buttonOf('later').addEventListener('click', resolve))
    setTimeout(() => take(buttonOf('later').parentElement))
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
    let replay: () => void = () => {}
    Object.defineProperty(window, 'partHydrated', {
      set: (given: () => void) => {
        replay = given
      },
      get: () => () => {
        replay()
        // comes after everything that React does in the same task
        queueMicrotask(() => {
          if ('withThePage' in window) return
          const fields = document.querySelectorAll('main form input')
          const [part, ...further] = document.querySelectorAll('main [data-part-end]')
          const state = part?.getAttribute('data-part-end')
          Object.assign(window, { withThePage: { fields: fields.length, part: state, further: further.length } })
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
  expect(withThePage).toEqual({ fields: expect.any(Number), part: '', further: 0 })
  expect(withThePage).not.toMatchObject({ fields: 0 })
})
