import { expect } from '@playwright/test'
import { person } from '../../people'
import type { Rows } from '../row'

export const rows: Rows = {
  HelpService: [
    { open: '/platform/help' },
    {
      texts: true,
      name: 'found',
      open: async ({ page, language }) => {
        await page.goto(`/platform/help?search=${language === 'ru' ? 'код' : 'code'}`)
      },
    },
    { texts: true, name: 'nothing found', open: '/platform/help?search=zzz' },
  ],
  LawPage: [
    { open: '/platform/law/cookies' },
    { texts: true, name: 'the user agreement', open: '/platform/law/user-agreement' },
  ],
  offline: [{ open: '/platform/offline' }],
  outbox: [
    {
      async open({ page, request, baseURL, outbox }) {
        const { email } = await person(['credentials'])
        const data = { email }
        await request.post('/api/v1/platform/password/link', { data, headers: { origin: baseURL } })
        await outbox(email)
        await page.goto(`/platform/dev/outbox?filter[recipient]=${email}`)
        await expect(page.getByText(email).first()).toBeVisible()
      },
      states: {
        'a mail as it looks': async ({ page, t }) => {
          await page.getByText(t.outbox.asHtml).first().click()
          await expect(page.locator('iframe').first()).toBeVisible()
        },
      },
    },
    { texts: true, name: 'empty', open: '/platform/dev/outbox?filter[recipient]=nobody@nowhere.example' },
  ],
}
