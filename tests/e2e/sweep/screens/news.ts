import { expect, type Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { news, newsLocales } from '@/db/schema'
import { localeId } from '../../../factories/platform'
import { pressCreate } from '../../signed-in'
import type { Rows } from '../row'

const title = 'Плановые работы в субботу'
const text = 'С 2:00 до 4:00 по московскому времени портал будет недоступен.\n\nЗаявки сохранятся.'

/** News in each of their states; the draft comes first. */
async function someNews() {
  // other tests leave news of their own
  if ((await db().$count(newsLocales, eq(newsLocales.title, title))) > 0) return
  const at = (days: number) => new Date(Date.now() - days * 86_400_000)
  const published = { publishedAt: at(1), toldAt: at(1), reached: 1204, mailed: 87 }
  const rows = await db()
    .insert(news)
    .values([
      {},
      { status: 'published' as const, ...published, createdAt: at(2) },
      { status: 'withdrawn' as const, ...published, reached: 12, mailed: 3, createdAt: at(3) },
    ])
    .returning()
  for (const [code, said] of [
    ['ru', { title, text }],
    ['en', { title: 'Planned maintenance on Saturday', text: 'From 2:00 to 4:00 Moscow time the portal is away.' }],
  ] as const)
    for (const { id } of rows)
      await db()
        .insert(newsLocales)
        .values({ newsId: id, localeId: await localeId(code), ...said })
}

const choose = async (page: Page, name: string) => {
  const row = page.locator('main').getByRole('button', { name: /Плановые|Planned/ })
  await row.first().click()
  await page.getByRole('menuitem', { name }).click()
  await expect(page.getByRole('dialog').locator('iframe').first()).toBeVisible()
}

export const rows: Rows = {
  PlatformNews: [
    {
      as: 'administrator',
      open: async ({ page }) => {
        await someNews()
        await page.goto('/platform/setting/news')
      },
      states: {
        'the preview before it is published': ({ page, t }) => choose(page, t.news.publish),
      },
    },
    {
      name: 'a new one',
      as: 'administrator',
      open: '/platform/setting/news',
      states: {
        'with its fields': async ({ page, t }) => {
          await pressCreate(page, t.news.create)
          await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeVisible()
        },
      },
    },
    { name: 'nothing found', as: 'administrator', open: '/platform/setting/news?filter[search]=nothing-like-it' },
  ],
}
