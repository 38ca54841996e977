import { inArray, like } from 'drizzle-orm'
import { db } from '@/db/client'
import { accessListEntries, networkAliases } from '@/db/schema/platform'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { leavesNothing } from './nothing-left'
import { asOwn } from './signed-in'
import { spokenIn } from './spoken'

leavesNothing()

const { language, words } = spokenIn(import.meta.filename)
const { 'network-aliases': t, ui } = words
const prefix = 'E2E listed alias '
const called = (text: string, name: string) => text.replace('{name}', name)

test.afterEach(async () => {
  const ours = like(networkAliases.name, `${prefix}%`)
  const ids = db().select({ id: networkAliases.id }).from(networkAliases).where(ours)
  await db().delete(accessListEntries).where(inArray(accessListEntries.aliasId, ids))
  await db().delete(networkAliases).where(ours)
})

test('a used alias shows where it is used and can’t be deleted', { tag: '@full' }, async ({ page, context }) => {
  const name = `${prefix}used`
  const [used] = await db().insert(networkAliases).values({ name }).returning()
  await db().insert(accessListEntries).values({ list: 'whitelist', aliasId: used?.id })
  await asOwn(context, 'administrator', language)
  await page.goto(`/platform/setting/network-aliases?filter[search]=${name}`)
  const row = page.getByRole('row', { name })
  await expect(row).toContainText(t.places.whitelist)
  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: ui.delete }).click()
  const dialog = page.getByRole('dialog', { name: called(t.keepTitle, name) })
  await expect(dialog).toContainText(t.keepText.split('{')[0] ?? '')
  await expect(dialog).toContainText(language === 'ru' ? 'белый список (1 запись).' : 'the whitelist (1 entry).')
  await dialog.getByRole('button', { name: ui.close }).last().click()
  await expect(row).toBeVisible()
})
