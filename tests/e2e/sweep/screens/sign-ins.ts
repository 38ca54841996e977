import { expect } from '@playwright/test'
import type { Rows } from '../row'

const path = '/platform/setting/sign-ins'

export const rows: Rows = {
  PlatformSignIns: [
    {
      as: 'administrator',
      open: path,
      states: {
        refusals: async ({ page, request, t }) => {
          const login = `nobody-${crypto.randomUUID()}`
          await request.get('/api/v1/platform/auth/config/login', { params: { login } })
          const data = { flow: 'credentials', login, password: 'wrong' }
          await request.post('/api/v1/platform/auth/login/login', {
            data,
            headers: { origin: new URL(page.url()).origin },
          })
          await page.goto(`${path}?filter[success]=false&filter[search]=${login}`)
          await expect(page.getByRole('cell').getByText(t['sign-ins'].causes.unknown)).toBeVisible()
        },
      },
    },
  ],
}
