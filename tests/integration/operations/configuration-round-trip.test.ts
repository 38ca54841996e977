import { and, count, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { shellContext } from '@/bin/operator'
import { db } from '@/db/client'
import { history, outboxEvents } from '@/db/schema'
import { joining } from '@/db/scope'
import { seedDemo } from '@/db/seed/demo'
import { configurationText, importText } from '@/lib/operations/configuration-file/service'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const passphrase = 'a passphrase of the test'
class Undo extends Error {}

let exported = ''
let sealed = ''
let again = ''
const results: unknown[] = []

/** What the demo exports; afterwards the database is empty again. */
beforeAll(async () => {
  await db()
    .transaction(async () => {
      await joining(async () => {
        await seedDemo()
        const ctx = await shellContext()
        exported = await configurationText(ctx)
        again = await configurationText(ctx)
        sealed = await configurationText(ctx, passphrase)
        for (const [text, of] of [[exported], [sealed, passphrase]] as const)
          results.push(await importText(ctx, { text, passphrase: of, prune: true, dry: false }))
      })
      throw new Undo()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error
    })
})

const counted = async () => {
  const [[rows], [events]] = await Promise.all([
    db().select({ count: count() }).from(history),
    db().select({ count: count() }).from(outboxEvents),
  ])
  return [rows?.count, events?.count]
}

// one instance gets what the test before left it
describe('a configuration', { shuffle: false }, () => {
  test('the demo is exported the same each time, and its own export changes nothing', async () => {
    expect(again).toBe(exported)
    expect(results).toEqual([expect.objectContaining({ changes: [] }), expect.objectContaining({ changes: [] })])
    expect(exported).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/)
  })

  test('an empty instance gives the same export after the import, byte for byte', async () => {
    const ctx = await shellContext()
    const [empty, before] = [await configurationText(ctx), await counted()]
    const dry = await importText(ctx, { text: exported, prune: true, dry: true })
    expect(dry.changes.length).toBeGreaterThan(50)
    expect([await configurationText(ctx), await counted()]).toEqual([empty, before])

    const done = await importText(ctx, { text: exported, prune: true, dry: false, version: dry.version })
    expect(done).toEqual(dry)
    expect(await configurationText(ctx)).toBe(exported)
    expect(done.notes).toContainEqual({ section: 'providers', key: 'Каталог «Полярис»', code: 'secretMissing' })

    const acts = await db()
      .select({ field: history.field, changerId: history.changerId, requestId: history.requestId })
      .from(history)
      .where(and(eq(history.entity, 'configuration'), eq(history.field, 'imported')))
    expect(acts).toEqual([{ field: 'imported', changerId: ctx.service?.applicationId, requestId: 'shell' }])
  })

  test('a second import changes nothing and writes no history', async () => {
    const ctx = await shellContext()
    const before = await counted()
    expect((await importText(ctx, { text: exported, prune: true, dry: false })).changes).toEqual([])
    expect(await counted()).toEqual(before)
  })

  test('sealed secrets arrive, and a second import of them changes nothing', async () => {
    const ctx = await shellContext()
    const text = sealed
    const done = await importText(ctx, { text, passphrase, prune: false, dry: false })
    expect(done.changes.map(({ section }) => section)).toEqual(
      expect.arrayContaining(['clients', 'providers', 'exchanges']),
    )
    expect(JSON.stringify(done)).not.toContain('demo-secret')
    expect((await importText(ctx, { text, passphrase, prune: false, dry: false })).changes).toEqual([])
  })

  test('with prune an empty configuration takes away what isn’t shipped', async () => {
    const ctx = await shellContext()
    const { content, ...header } = JSON.parse(exported)
    const bare = {
      ...header,
      content: { ...content, banners: [], exchanges: content.exchanges, domains: content.domains },
    }
    // banners of domains are in use
    await expect(importText(ctx, { text: JSON.stringify(bare), prune: true, dry: false })).rejects.toMatchObject({
      code: 'configurationRefused',
      data: { errorList: [{ code: 'bannerUsed' }] },
    })
    bare.content.domains = content.domains.map((domain: { locales: object[] }) => ({
      ...domain,
      locales: domain.locales.map((locale) => ({ ...locale, banners: [] })),
    }))
    const done = await importText(ctx, { text: JSON.stringify(bare), prune: true, dry: false })
    expect(done.changes.filter(({ kind }) => kind === 'delete').map(({ section }) => section)).toEqual(
      content.banners.map(() => 'banners'),
    )
    expect(JSON.parse(await configurationText(ctx)).content.banners).toEqual([])
  })
})
