import { createContractor, createContractorRole, join, plantInvitation } from '../factories/companies'
import { createUser } from '../factories/users'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { asPerson, takenOver } from './signed-in'
import { spokenIn } from './spoken'

const { language, words: t } = spokenIn(import.meta.filename)
const path = '/platform/profile/contacts'

const called = (role: { name: string; nameEn: string | null }) =>
  language === 'ru' ? role.name : (role.nameEn ?? role.name)

/** The manager of a company, a colleague with one role, and an open invitation. */
async function company() {
  const manager = await createUser()
  const here = await createContractor()
  const [managing, heldRole, other] = [
    await createContractorRole(['masterAccountAccess']),
    await createContractorRole(),
    await createContractorRole(),
  ]
  await join(here, manager.id, [managing.id])
  const colleague = await createUser({ fio: `Орлова Дарья ${here.contractor.inn}` })
  await join(here, colleague.id, [heldRole.id])
  const invitation = await plantInvitation({ contractorId: here.contractor.id, inviterId: manager.id })
  return { ...here, manager, colleague, held: heldRole, other, invitation }
}

test('a manager finds a colleague, changes their roles and takes them out', async ({ page, context, database: _ }) => {
  const { manager, colleague, contractor, organization, held, other, invitation } = await company()
  await asPerson(context, manager.login, language)
  await page.goto(path)
  await takenOver(page)
  const main = page.locator('main')
  await expect(main.getByRole('row', { name: invitation.email })).toContainText(t.contacts.statuses.invitationSent)
  const row = main.getByRole('row', { name: colleague.fio })
  await expect(row).toContainText(t.contacts.statuses.active)
  await main.getByRole('textbox', { name: t.contacts.search }).fill(colleague.fio.slice(0, 6))
  await expect(main.getByRole('row', { name: invitation.email })).toHaveCount(0)
  await main.getByRole('link', { name: colleague.fio }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(colleague.fio)
  await takenOver(page)

  const card = page.getByRole('article', { name: contractor.name })
  await expect(card).toContainText(called(held))
  await card.getByRole('button', { name: t.contacts.changeRoles }).click()
  const dialog = page.getByRole('dialog')
  const place = language === 'ru' ? organization.name : (organization.nameEn ?? '')
  await dialog.getByLabel(place).click()
  await page.getByRole('option', { name: called(other) }).click()
  await page.getByRole('option', { name: called(held) }).click()
  await page.keyboard.press('Escape')
  // what is taken is said before
  await expect(
    dialog.getByText(t.contacts.takenLine.replace('{name}', place).replace('{roles}', called(held))),
  ).toBeVisible()
  await dialog.getByRole('button', { name: t.ui.save, exact: true }).click()
  await expect(page.getByText(t.snackbar.contactRoles.replace('{person}', colleague.fio))).toBeVisible()
  await expect(card).toContainText(called(other))
  await expect(card).not.toContainText(called(held))

  await card.getByRole('button').last().click()
  await page.getByRole('menuitem', { name: t.contacts.remove }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText(t.contacts.removeKeeps)
  await question.getByRole('button', { name: t.contacts.removeVerb, exact: true }).click()
  // there is no card of somebody who is no contact any more
  await expect(page).toHaveURL(path)
  await expect(main.getByRole('row', { name: invitation.email })).toBeVisible()
  await expect(main.getByRole('row', { name: colleague.fio })).toHaveCount(0)
})

test('roles that changed meanwhile aren’t overwritten, and a colleague changes none', { tag: '@full' }, async ({
  page,
  context,
  database: _,
}) => {
  const { manager, colleague, contractor, organization, held, other } = await company()
  await asPerson(context, manager.login, language)
  await page.goto(`${path}/${colleague.id}`)
  await takenOver(page)
  const card = page.getByRole('article', { name: contractor.name })
  await card.getByRole('button', { name: t.contacts.changeRoles }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(language === 'ru' ? organization.name : (organization.nameEn ?? '')).click()
  await page.getByRole('option', { name: called(other) }).click()
  await page.keyboard.press('Escape')
  const address = `${process.env.PUBLIC_URL}/api/v1/platform/master-account/contacts/contractors`
  const data = { userId: colleague.id, contractorId: contractor.id, access: [] }
  const headers = { origin: process.env.PUBLIC_URL ?? '' }
  expect((await context.request.put(address, { data, headers })).status()).toBe(200)
  // a key that comes at once with the refusal
  await page.evaluate(
    (refusal) => {
      const observer = new MutationObserver(() => {
        const dialogs = [...document.querySelectorAll('[role=dialog]')]
        if (!dialogs.some(({ textContent }) => textContent?.replace(/\s/g, ' ').includes(refusal))) return
        observer.disconnect()
        document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
      })
      observer.observe(document.body, { subtree: true, childList: true, characterData: true })
    },
    t.errors.conflict.replace(/\s/g, ' '),
  )
  await dialog.getByRole('button', { name: t.ui.save, exact: true }).click()
  // the question hides the dialog from roles
  await expect(page.locator('[role=dialog]').getByText(t.errors.conflict)).toBeVisible()
  // the truth stands behind the dialog once it is closed
  await page.getByRole('button', { name: t.ui.unsaved.leave }).click()
  await expect(card).toContainText(t.contacts.noRolesHere)
  await expect(card).not.toContainText(called(held))

  const plain = await createUser()
  await join({ contractor, organization, organizations: [organization] }, plain.id, [])
  await asPerson(context, plain.login, language)
  await page.goto(`${path}/${colleague.id}`)
  await takenOver(page)
  await expect(card).toBeVisible()
  await expect(card.getByRole('button')).toHaveCount(0)
  expect((await context.request.put(address, { data, headers })).status()).toBe(403)
  // somebody of no company in common has no card
  const stranger = await createUser()
  expect((await page.goto(`${path}/${stranger.id}`))?.status()).toBe(404)
  await page.getByRole('link', { name: t['not-found'].card.action }).click()
  await expect(page).toHaveURL(path)
})
