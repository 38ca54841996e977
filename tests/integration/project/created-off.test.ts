import { randomInt, randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import { history, locales } from '@/db/schema'
import { createProviderMapper, listProviderMappers } from '@/lib/directory-sync/provider-mappers/contract'
import { createProvider } from '@/lib/directory-sync/providers/contract'
import { createDocument, listDocuments } from '@/lib/documents/documents/contract'
import {
  createBlacklistEntry,
  createWhitelistEntry,
  listBlacklist,
  listWhitelist,
} from '@/lib/network/access-lists/contract'
import { createBanner, listBanners } from '@/lib/site/banners/contract'
import { createLocale, listLocales } from '@/lib/site/locales/contract'
import type { Caller } from '../../factories/caller'
import { providerFor, syncOf } from '../../factories/directory'
import { freeLanguageCode } from '../../factories/language-codes'
import { first } from '../../factories/platform'
import { signedInAdministrator } from '../../factories/roles'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

type Made = { id: string; on: boolean | undefined }
const network = () => `2001:db8:${randomInt(1, 0xffff).toString(16)}::/64`
const textsOf = async (name: string) => {
  const { id } = first(await db().select().from(locales).where(eq(locales.code, 'ru')))
  return [{ localeId: id, name, linkName: 'правила', content: '# Текст' }]
}

const kinds: Record<string, (caller: Caller, off: boolean) => Promise<Made>> = {
  'an entry of the whitelist': async (caller, off) => {
    const ip = network()
    const { id } = await caller.call(createWhitelistEntry, { body: { ip, ...(off ? { enabled: false } : {}) } })
    const { accesses } = await caller.call(listWhitelist, { query: { filter: { ip } } })
    return { id, on: accesses[0]?.enabled }
  },
  'an entry of the blacklist': async (caller, off) => {
    const ip = network()
    const { id } = await caller.call(createBlacklistEntry, { body: { ip, ...(off ? { enabled: false } : {}) } })
    const { accesses } = await caller.call(listBlacklist, { query: { filter: { ip } } })
    return { id, on: accesses[0]?.enabled }
  },
  'a document': async (caller, off) => {
    const body = { code: randomUUID(), type: 'document' as const, locales: await textsOf('Правила') }
    const { id } = await caller.call(createDocument, { body: { ...body, ...(off ? { enabled: false } : {}) } })
    const { documents } = await caller.call(listDocuments, { query: { filter: { search: body.code } } })
    return { id, on: documents[0]?.enabled }
  },
  'a banner': async (caller, off) => {
    const body = { title: 'Работы', code: randomUUID() }
    const { id } = await caller.call(createBanner, { body: { ...body, ...(off ? { visible: false } : {}) } })
    const { banners } = await caller.call(listBanners, { query: { filter: { search: body.code } } })
    return { id, on: banners[0]?.visible }
  },
  'a language': async (caller, off) => {
    const name = randomUUID()
    const { id } = await caller.call(createLocale, {
      body: { name, code: freeLanguageCode(), ...(off ? { enabled: false } : {}) },
    })
    const { locales: listed } = await caller.call(listLocales, { query: { filter: { search: name } } })
    return { id, on: listed[0]?.enabled }
  },
  'a mapper': async (caller, off) => {
    const provider = await caller.call(createProvider, { body: providerFor('http://127.0.0.1:1') })
    const params = { syncId: await syncOf(caller, provider.id) }
    const body = { type: 'users-base' as const, name: 'Почта', before: 'email', after: 'email' }
    const { id } = await caller.call(createProviderMapper, {
      params,
      body: { ...body, ...(off ? { enabled: false } : {}) },
    })
    const { mappers } = await caller.call(listProviderMappers, { params })
    return { id, on: mappers[0]?.enabled }
  },
}

/** What the history says of the first state. */
const recordedState = async (id: string) =>
  (
    await db()
      .select()
      .from(history)
      .where(and(eq(history.entityId, id), eq(history.type, 'create')))
  ).flatMap(({ field, current }) => (field === 'enabled' || field === 'visible' ? [current] : []))

test.each(Object.entries(kinds))(
  '%s is on unless it is created switched off, and the history says which',
  async (_, make) => {
    const { caller } = await signedInAdministrator()
    for (const off of [false, true]) {
      const { id, on } = await make(caller, off)
      expect(on).toBe(!off)
      expect(await recordedState(id)).toEqual([!off])
    }
  },
)
