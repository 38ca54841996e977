import { expect } from '@playwright/test'
import { ownPerson } from '../../own-people'
import { pressCreate } from '../../signed-in'
import type { Rows } from '../row'

const open = '/platform/setting/users'

const file = (text: string) => ({ name: 'users.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })

export const rows: Rows = {
  PlatformUserImport: [
    {
      as: 'administrator',
      open: `${open}/import`,
      states: {
        'a file that can’t be read': async ({ page, t }) => {
          await page.getByLabel(t['user-import'].chooseFile).last().setInputFiles(file('login'))
          await expect(page.getByRole('alert').getByText(t.errors.tableEmpty)).toBeVisible()
        },
        columns: {
          texts: true,
          reach: async ({ page, t }) => {
            const rows = [
              'Логин;ФИО;Почта;hiringDate;Имя;Дата рождения',
              'sweep-import;Вера Орлова;vera.import@polaris.example;15.01.2026;x;04/01/1981',
              'sweep-wrong;Нет;nobody@;15.01.2026;;',
            ]
            const text = rows.join('\n')
            await page.getByLabel(t['user-import'].chooseFile).last().setInputFiles(file(text))
            await expect(page.getByRole('heading', { name: t['user-import'].columnsTitle })).toBeVisible()
          },
        },
        'the check': async ({ page, t }) => {
          await page.getByRole('combobox', { name: t['user-import'].dayOrder }).click()
          await page.getByRole('option', { name: t['user-import'].dayOrders.day }).click()
          await page.getByRole('button', { name: t['user-import'].check }).click()
          await expect(page.getByRole('heading', { name: t['user-import'].effects })).toBeVisible()
          await expect(page.getByRole('heading', { name: t['user-import'].changes })).toBeVisible()
        },
      },
    },
  ],
  PlatformUsers: [
    {
      as: 'administrator',
      open,
      states: {
        'a new account': {
          texts: true,
          reach: async ({ page, t }) => {
            await pressCreate(page, t.users.create)
            await expect(page.getByRole('dialog').getByRole('switch')).toBeVisible()
          },
        },
        'an action on several': {
          texts: true,
          reach: async ({ page, t }) => {
            await page.keyboard.press('Escape')
            await expect(page.getByRole('dialog')).toBeHidden()
            await page.locator('main').getByRole('checkbox').first().click()
            await page.getByRole('button', { name: t.users.bulkAct }).click()
            await expect(page.getByRole('dialog')).toBeVisible()
          },
        },
      },
    },
  ],
  PlatformUser: [
    {
      texts: true,
      name: 'what the person sees',
      as: 'administrator',
      // codes of methods look like them
      showsKeys: true,
      open: async ({ page, t }) => {
        await page.goto(`${open}?filter[search]=${(await ownPerson('administrator')).login}`)
        await page.locator('main').getByRole('rowheader').getByRole('link').first().click()
        await page.locator('main').getByRole('link', { name: t.users.preview }).click()
        await expect(page.getByRole('heading', { name: t.users.previewMenus })).toBeVisible()
      },
    },
    {
      as: 'administrator',
      open: async ({ page, t }) => {
        await page.goto(`${open}?filter[search]=${(await ownPerson('administrator')).login}`)
        await page.locator('main').getByRole('rowheader').getByRole('link').first().click()
        await expect(page.getByRole('heading', { name: t.users.signIn })).toBeVisible()
      },
      states: {
        sessions: async ({ page, t }) => {
          await page.getByRole('link', { name: t.users.sessions }).click()
          await expect(page.getByRole('columnheader', { name: t.users.device })).toBeVisible()
        },
        access: {
          texts: true,
          reach: async ({ page, t }) => {
            await page
              .locator('main')
              .getByRole('link', { name: new RegExp(`^${t.users.access}`) })
              .click()
            await expect(page.getByRole('heading', { name: t.users.contractors })).toBeVisible()
          },
        },
        'roles in edit': async ({ page, t }) => {
          await page.getByRole('button', { name: `${t.ui.edit}: ${t.users.roles}` }).click()
          await expect(page.getByRole('button', { name: t.users.addOrganization })).toBeVisible()
        },
        'fields in edit': async ({ page, t }) => {
          await page.locator('main').getByRole('link', { name: t.users.main }).click()
          await expect(page.getByRole('heading', { name: t.users.signIn })).toBeVisible()
          await page.getByRole('button', { name: t.ui.edit }).first().click()
          await expect(page.getByRole('button', { name: t.ui.save })).toBeVisible()
        },
        merging: async ({ page, t }) => {
          await page.getByRole('link', { name: t.users.sessions }).click()
          await page
            .locator('main')
            .getByRole('button', { name: t.ui.list.rowActions.split('{')[0] })
            .first()
            .click()
          await page.getByRole('menuitem', { name: t.users.merge }).click()
          await expect(page.getByRole('dialog').getByText(t.users.mergeSources, { exact: true })).toBeVisible()
        },
        applications: async ({ page, t }) => {
          await page.keyboard.press('Escape')
          await expect(page.getByRole('dialog')).toBeHidden()
          await page.locator('main').getByRole('link', { name: t.users.applications }).click()
          await expect(
            page
              .getByText(t.users.applicationsEmptyTitle)
              .or(page.getByRole('columnheader', { name: t.users.since }))
              .first(),
          ).toBeVisible()
        },
        messages: async ({ page, t }) => {
          await page.locator('main').getByRole('link', { name: t.users.messages }).click()
          await expect(
            page
              .getByText(t.users.messagesEmptyTitle)
              .or(page.getByRole('columnheader', { name: t.users.recipient }))
              .first(),
          ).toBeVisible()
        },
        requests: {
          texts: true,
          reach: async ({ page, t }) => {
            await page.locator('main').getByRole('link', { name: t.users.requests, exact: true }).click()
            await expect(page.getByText(t.users.requestsEmptyTitle).or(page.getByRole('table')).first()).toBeVisible()
          },
        },
        invitations: async ({ page, t }) => {
          await page.locator('main').getByRole('link', { name: t.users.invitations, exact: true }).click()
          await expect(page.getByText(t.users.invitationsEmptyTitle).or(page.getByRole('table')).first()).toBeVisible()
        },
        'a new password': async ({ page, t }) => {
          await page.keyboard.press('Escape')
          await expect(page.getByRole('dialog')).toBeHidden()
          await page.getByRole('button', { name: t.users.reset }).first().click()
          await expect(page.getByRole('alertdialog')).toBeVisible()
        },
      },
    },
  ],
}
