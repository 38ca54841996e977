import { test } from '@playwright/test'
import { getTableName } from 'drizzle-orm'
import { db } from '@/db/client'
import * as schema from '@/db/schema'
import { expect } from './turn'

/** Tables with what the whole platform shares. */
const shared = [
  schema.settings,
  schema.locales,
  schema.domains,
  schema.domainAliases,
  schema.domainLocales,
  schema.accessListEntries,
  schema.licenses,
  schema.localeTexts,
  schema.authenticationSchemas,
  schema.notifyMethods,
  schema.dynamicFieldTabs,
  schema.dynamicFieldSubtypes,
  schema.dynamicFields,
  schema.integrationSyncs,
]

const rowsOf = async () =>
  Object.fromEntries(
    await Promise.all(
      shared.map(async (table) => {
        // every update raises the version, also the one that puts back what was there
        const rows = (await db().select().from(table)).map((row) => JSON.stringify({ ...row, updatedAt: null }))
        return [getTableName(table), rows.toSorted()] as const
      }),
    ),
  )

/** Makes a file of global tests fail if it leaves anything changed that other files share. */
export function leavesNothing() {
  let before: Awaited<ReturnType<typeof rowsOf>>
  test.beforeAll(async () => {
    before = await rowsOf()
  })
  test.afterAll(async () => expect(await rowsOf()).toEqual(before))
}
