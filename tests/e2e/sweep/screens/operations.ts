import { expect } from '@playwright/test'
import type { Rows } from '../row'

const monitoring = '/platform/setting/monitoring'
const system = '/platform/setting/system'

export const rows: Rows = {
  PlatformMonitoring: [
    {
      as: 'administrator',
      open: monitoring,
      states: {
        'the history of a check': async ({ page, t }) => {
          const checked = await page.request.get('/api/v1/platform/setting/monitoring/refresh', {
            headers: { 'sec-fetch-site': 'same-origin' },
          })
          expect(checked.status()).toBe(200)
          await page.goto(monitoring)
          await page.getByRole('link', { name: t.monitoring.kinds.database, exact: true }).click()
          await expect(page.getByRole('region', { name: t.monitoring.chartTable })).toBeVisible()
        },
        'nothing found': async ({ page, t }) => {
          await page.goto(`${monitoring}?filter[key]=${crypto.randomUUID()}`)
          await expect(page.getByText(t.ui.list.noneTitle).first()).toBeVisible()
        },
      },
    },
  ],
  PlatformDiagnostics: [{ as: 'administrator', open: '/platform/setting/diagnostics' }],
  PlatformSystem: [{ as: 'administrator', open: system }],
}
