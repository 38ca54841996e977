import { expect } from '@playwright/test'
import { formatVersion } from '@/lib/operations/configuration-file/format'
import type { Rows } from '../row'

const path = '/platform/setting/configuration'
const header = { format: 'identity-platform/configuration', version: formatVersion, secrets: 'omitted' }
const banner = {
  code: 'maintenance-ru',
  title: 'Работы в воскресенье',
  text: 'С 2:00 до 4:00',
  link: '',
  visible: true,
}
const given = (content: object) => ({
  name: 'instance.json',
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify({ ...header, content })),
})

export const rows: Rows = {
  PlatformConfiguration: [
    {
      as: 'administrator',
      open: path,
      states: {
        'a difference': async ({ page, t }) => {
          const settings = [{ setting: 'passwordMin', value: 14 }]
          const banners = [banner, { ...banner, code: 'from-a-file', title: 'Из файла' }]
          await page.locator('input[type=file]').setInputFiles(given({ banners, settings }))
          await page.getByRole('button', { name: t.configuration.compare }).click()
          await page.locator('summary').filter({ hasText: 'maintenance-ru' }).click()
          await expect(page.getByText('Работы в воскресенье').last()).toBeVisible()
        },
        'a file that is refused': async ({ page, t }) => {
          const banners = [{ ...banner, link: 'javascript:1' }]
          await page.locator('input[type=file]').setInputFiles(given({ banners }))
          await page.getByRole('button', { name: t.configuration.compare }).click()
          await expect(page.getByRole('alert').filter({ hasText: t.configuration.refused })).toBeVisible()
        },
      },
    },
    { name: 'to somebody who only looks', as: 'auditor', open: path },
  ],
}
