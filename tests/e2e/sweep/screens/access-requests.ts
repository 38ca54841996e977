import { expect } from '@playwright/test'
import { createContractor, createContractorRole, join } from '../../../factories/companies'
import { createCompanyRequests, newcomer } from '../../../factories/company-requests'
import { person } from '../../people'
import { signInAs, takenOver } from '../../signed-in'
import type { Row, Rows, Visit } from '../row'

const path = '/platform/profile/requests/access'

/** Somebody with a request in each state. */
async function ownRequests({ page, context, language }: Visit) {
  const { id, login } = await newcomer()
  const { contractor } = await createContractor()
  const role = await createContractorRole()
  for (const status of ['considered', 'approved', 'failure', 'duplicate', 'remove'] as const)
    await createCompanyRequests(id, [contractor], {
      status,
      roleIds: [role.id],
      reason: status === 'failure' ? 'Нет договора с этой компанией' : '',
    })
  await signInAs(context, login, language)
  await page.goto(path)
  await expect(page.locator('main tbody tr')).toHaveCount(5)
}

/** A manager of a company from which three people want something, one of them already refused. */
async function incoming({ page, context, language }: Visit) {
  const manager = await person(['credentials'])
  const company = await createContractor(2)
  const [role, wished] = [await createContractorRole(['masterAccountAccess']), await createContractorRole()]
  await join(company, manager.id, [role.id])
  for (const status of ['considered', 'considered', 'failure'] as const)
    await createCompanyRequests((await newcomer()).id, [company.contractor], {
      status,
      roleIds: [role.id, wished.id],
      reason: status === 'failure' ? 'Нет договора' : '',
    })
  await signInAs(context, manager.login, language)
  await page.goto(`${path}?tab=incoming`)
  await takenOver(page)
  await expect(page.locator('main tbody tr')).toHaveCount(3)
}

const rowsOfRequests: Row[] = [
  {
    open: ownRequests,
    states: {
      'asking, filled in wrong': {
        texts: true,
        reach: async ({ page, t }) => {
          await takenOver(page)
          await page.getByRole('button', { name: t['access-requests'].ask }).first().click()
          const dialog = page.getByRole('dialog')
          await dialog.getByLabel(t['access-requests'].inn).fill('12')
          await dialog.getByRole('button', { name: t['access-requests'].send }).click()
          await expect(dialog.getByText(t.errors.errorInn, { exact: true })).toBeVisible()
        },
      },
    },
  },
  {
    name: 'none',
    async open({ page, context, language, t }) {
      await signInAs(context, (await newcomer()).login, language)
      await page.goto(path)
      await expect(page.getByText(t['access-requests'].emptyTitle)).toBeVisible()
    },
  },
  {
    texts: true,
    name: 'incoming',
    open: incoming,
    states: {
      'two chosen': async ({ page }) => {
        await page.locator('main').getByRole('checkbox').first().click()
        await page.locator('main').getByRole('checkbox').last().click()
        await expect(page.locator('main').getByRole('checkbox', { checked: true })).toHaveCount(2)
      },
      'the decision on two': async ({ page, t }) => {
        const bar = page.getByRole('region', { name: t.ui.bulk.label })
        await bar.getByRole('button', { name: t['access-requests'].decide }).click()
        await expect(page.getByRole('dialog').getByRole('checkbox').first()).toBeVisible()
      },
      'the decision on one': async ({ page, t }) => {
        await page.reload()
        await takenOver(page)
        await page.locator('main tbody').getByRole('button', { name: t['access-requests'].decide }).first().click()
        await expect(page.getByRole('dialog').getByRole('checkbox').first()).toBeVisible()
      },
    },
  },
]

export const rows: Rows = {
  UserProfileRequests: [{ as: 'employee', open: '/platform/profile/requests', leadsTo: 'UserProfileAccessRequests' }],
  UserProfileAccessRequests: rowsOfRequests,
}
