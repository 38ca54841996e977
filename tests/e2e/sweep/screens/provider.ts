import { expect } from '@playwright/test'
import * as client from 'openid-client'
import type { DemoApplication } from '../../../factories/demo'
import { startApplication } from '../../application'
import { person } from '../../people'
import { signInAs } from '../../signed-in'
import type { Rows, Visit } from '../row'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const title = ({ page }: Visit) => page.getByRole('heading', { level: 1 })

async function application({ baseURL, later }: Visit, code: DemoApplication, grants?: string[]) {
  const app = await startApplication(code, baseURL, grants)
  later(app.stop)
  return app
}
type Application = Awaited<ReturnType<typeof startApplication>>
const nameOf = ({ language }: Visit, { application }: Application) =>
  language === 'ru' ? application.name : (application.nameEn ?? '')

const codes = async (visit: Visit) => {
  const app = await application(visit, 'procurement', [deviceGrant, 'refresh_token'])
  return { app, device: await client.initiateDeviceAuthorization(app.config, { scope: 'openid profile' }) }
}

/** Pages to which applications redirect; `screens` doesn't list them. */
export const rows: Rows = {
  'the provider: consent': [
    {
      as: 'support',
      async open(visit) {
        const app = await application(visit, 'partner')
        const scope = 'openid profile email phone roles contractors fields offline_access'
        await visit.page.goto((await app.authorization({ scope, prompt: 'consent' })).href)
        await expect(title(visit)).toHaveText(visit.t.consent.title.replace('{application}', nameOf(visit, app)))
        for (const { name } of Object.values(visit.t.consent.scopes))
          await expect(visit.page.getByText(name, { exact: true })).toBeVisible()
      },
      states: {
        'the applications that were allowed': async (visit) => {
          const { page, t } = visit
          await page.getByRole('button', { name: t.consent.allow }).click()
          await expect(page.getByRole('heading', { name: '/callback' })).toBeVisible()
          const relyingParty = await application(visit, 'procurement')
          await page.goto((await relyingParty.authorization()).href)
          await expect(page.getByRole('heading', { name: '/callback' })).toBeVisible()
          await page.goto('/platform/profile/applications')
          await expect(page.getByRole('article')).toHaveCount(2)
        },
        'a question before one is withdrawn': {
          texts: true,
          reach: async ({ page, t }) => {
            await page
              .getByRole('article')
              .filter({ hasText: t['user-applications'].externalMark })
              .getByRole('button')
              .click()
            await expect(page.getByRole('alertdialog')).toBeVisible()
          },
        },
      },
    },
  ],
  'the provider: a device': [
    {
      as: 'support',
      async open(visit) {
        const { device } = await codes(visit)
        await visit.page.goto(device.verification_uri)
        await expect(title(visit)).toHaveText(visit.t['device-flow'].enter.title)
      },
      states: {
        'a wrong code': async ({ page, t }) => {
          await page.getByLabel(t['device-flow'].enter.label).fill('BBBB-BBBB')
          await page.getByRole('button', { name: t['device-flow'].enter.submit }).click()
          await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
        },
        'a code to confirm': {
          texts: true,
          reach: async (visit) => {
            const { app, device } = await codes(visit)
            const { enter, confirm } = visit.t['device-flow']
            await visit.page.getByLabel(enter.label).fill(device.user_code)
            await visit.page.getByRole('button', { name: enter.submit }).click()
            await expect(title(visit)).toHaveText(confirm.title.replace('{application}', nameOf(visit, app)))
          },
        },
        confirmed: {
          texts: true,
          reach: async (visit) => {
            await visit.page.getByRole('button', { name: visit.t['device-flow'].confirm.allow }).click()
            await expect(title(visit)).toHaveText(visit.t['device-flow'].done.title)
          },
        },
        refused: async (visit) => {
          const { device } = await codes(visit)
          const { enter, confirm, refused } = visit.t['device-flow']
          await visit.page.goto(device.verification_uri_complete ?? '')
          await visit.page.getByRole('button', { name: enter.submit }).click()
          await visit.page.getByRole('button', { name: confirm.refuse }).click()
          await expect(title(visit)).toHaveText(refused.title)
        },
      },
    },
  ],
  'the provider: refusals and failures': [
    {
      name: 'an application that isn’t open',
      as: 'noServices',
      async open(visit) {
        const app = await application(visit, 'warehouse')
        await visit.page.goto((await app.authorization()).href)
        await expect(title(visit)).toHaveText(visit.t.oidc.access.title.replace('{application}', nameOf(visit, app)))
      },
    },
    {
      name: 'an unknown application',
      async open(visit) {
        await visit.page.goto('/oidc/auth?client_id=nobody&response_type=code')
        await expect(title(visit)).toHaveText(visit.t.oidc.failure.client.title)
      },
    },
    {
      name: 'a request that is over',
      async open(visit) {
        await visit.page.goto('/platform/interaction/there-is-none')
        await expect(title(visit)).toHaveText(visit.t.oidc.failure.expired.title)
      },
    },
  ],
  'the provider: which account, and out': [
    {
      as: 'administrator',
      async open(visit) {
        const app = await application(visit, 'procurement')
        await visit.page.goto((await app.authorization({ prompt: 'select_account' })).href)
        await expect(title(visit)).toHaveText(visit.t.oidc.account.title)
      },
    },
    {
      texts: true,
      name: 'a question before signing out',
      async open({ page, context, language, t }) {
        await signInAs(context, (await person(['credentials'])).login, language)
        await page.goto('/oidc/session/end')
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(t.oidc.logout.title)
      },
      states: {
        'signed out': {
          texts: true,
          reach: async (visit) => {
            await visit.page.getByRole('button', { name: visit.t.oidc.logout.confirm }).click()
            await expect(title(visit)).toHaveText(visit.t.oidc.loggedOut.title)
          },
        },
      },
    },
  ],
}
