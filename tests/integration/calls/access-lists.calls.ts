import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { db } from '@/db/client'
import { accessListEntries, networkAliases, settings } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import {
  checkAddress,
  createBlacklistEntry,
  createWhitelistEntry,
  deleteBlacklistEntry,
  deleteWhitelistEntry,
  enableBlacklistEntry,
  enableWhitelistEntry,
  listBlacklist,
  listWhitelist,
  readWhitelistEnd,
  updateBlacklistEntry,
  updateWhitelistEntry,
} from '@/lib/network/access-lists/contract'
import { openAccess } from '@/lib/network/access-lists/open-access'
import { accessRules } from '@/lib/network/access-lists/service'
import { verdictOf } from '@/lib/network/access-lists/verdict'
import type { Caller } from '../../factories/caller'
import { first } from '../../factories/platform'
import { proof, provenIn, recording } from '../../factories/proofs'
import { setSetting } from '../../factories/settings'

type Values = Partial<typeof accessListEntries.$inferInsert>
type List = 'whitelist' | 'blacklist'
const entry = async (list: List, values: Values) => {
  const { id } = first(
    await db()
      .insert(accessListEntries)
      .values({ list, ...values })
      .returning(),
  )
  dropCached('network-aliases')
  return id
}
const inAnHour = () => new Date(Date.now() + 3_600_000)
/** What requests read of the lists. */
const verdict = (caller: Caller, list: List, ip: string) =>
  caller.serve(async () => {
    const rules = await accessRules()
    return { verdict: rules && verdictOf(rules.lists, list === 'whitelist', ip, new Date()) }
  })
const enabling = async (id: string) => ({ params: { id }, body: { enabled: true } })

/** A new enabled entry with its own network. */
const partsFor = (list: List) => ({
  makes: ['update access-lists'],
  prepare: async () => {
    const network = `2001:db8:${randomBytes(2).toString('hex')}`
    return { id: await entry(list, { ip: `${network}::/48`, enabled: false }), ip: `${network}::1` }
  },
  input: ({ id }: { id: string }) => ({ params: { id }, body: { enabled: true } }),
  look: (caller: Caller, { ip }: { ip: string }) => verdict(caller, list, ip),
  shows: () => ({ verdict: list === 'whitelist' ? 'allowed' : 'denied' }),
})

/** Disables the entry of the whitelist that allows the caller; until `until` another entry does. */
const offWhitelist = async ({ browser }: Caller, until?: Date) => {
  await db().delete(accessListEntries)
  await setSetting('whitelistMode', true)
  onTestFinished(() => setSetting('whitelistMode', false))
  if (until) await entry('whitelist', { ip: `${browser.ip}/32`, dateTo: until })
  const id = await entry('whitelist', { ip: `${browser.ip}/32` })
  return { params: { id }, body: { enabled: false } }
}

const calls = {
  whitelist: { list: listWhitelist, create: createWhitelistEntry, update: updateWhitelistEntry },
  blacklist: { list: listBlacklist, create: createBlacklistEntry, update: updateBlacklistEntry },
} as const

/** A network that no other case uses. */
const network = () => `2001:db8:${randomInt(1, 0xffff).toString(16)}:${randomInt(1, 0xffff).toString(16)}::/64`
const entryOf = (ip: string) => ({ ip, dateTo: '2099-01-01T00:00:00.000Z', comment: 'Внешний аудит' })
const entriesOf = async (caller: Caller, list: List, ip: string) =>
  (await caller.call(calls[list].list, { query: { filter: { ip } } })).accesses
const unknownAlias = async () => ({ body: { alias: randomUUID() } })

/** An entry of a list that names an alias. */
const named = async (list: List) => {
  const alias = first(await db().insert(networkAliases).values({ name: randomUUID() }).returning())
  return { id: await entry(list, { aliasId: alias.id }), name: alias.name, alias: alias.id }
}

const listing = (list: List) =>
  proof(calls[list].list, {
    prepare: async () => {
      // one of the other list is not shown
      await entry(list === 'whitelist' ? 'blacklist' : 'whitelist', { ip: '192.0.2.9/32', comment: 'чужая' })
      return named(list)
    },
    input: ({ name }) => ({ query: { filter: { search: name } } }),
    shows: ({ id, name, alias }) => ({
      accesses: [{ id, alias, aliasName: name, ip: null, enabled: true, dateFrom: null, dateTo: null, comment: '' }],
    }),
  })

const creating = (list: List) => ({
  makes: ['create access-lists'],
  prepare: async () => entryOf(network()),
  input: (body: ReturnType<typeof entryOf>) => ({ body }),
  look: (caller: Caller, { ip }: { ip: string }) => entriesOf(caller, list, ip),
  shows: (body: ReturnType<typeof entryOf>, { id }: { id: string }) => [
    { id, ...body, alias: null, enabled: true, dateFrom: null },
  ],
})

const updating = (list: List) => ({
  makes: ['update access-lists'],
  prepare: async () => {
    const ip = network()
    return { ip: network(), id: await entry(list, { ip, enabled: false }) }
  },
  input: ({ id, ip }: { id: string; ip: string }) => ({ params: { id }, body: entryOf(ip) }),
  look: (caller: Caller, { ip }: { ip: string }) => entriesOf(caller, list, ip),
  // whether it is on stays
  shows: ({ id, ip }: { id: string; ip: string }) => [{ id, ...entryOf(ip), enabled: false }],
})

const deleting = (list: List) => ({
  makes: ['delete access-lists'],
  prepare: async () => {
    const ip = network()
    return { ip, id: await entry(list, { ip }) }
  },
  input: ({ id }: { id: string }) => ({ params: { id } }),
  look: (caller: Caller, { ip }: { ip: string }) => entriesOf(caller, list, ip),
  shows: () => [],
})

/** Lets the caller in by one entry of the whitelist alone; until `until` by another one too. */
const lastEntry = async (caller: Caller, until?: Date) => (await offWhitelist(caller, until)).params
const otherEntry = () => entry('blacklist', { ip: network() })
const later = () => inAnHour().toISOString()

const theirs = async (list: List) => {
  // an id of the other list isn't found
  const id = await entry(list === 'whitelist' ? 'blacklist' : 'whitelist', { ip: network() })
  return { params: { id } }
}

export default [
  listing('whitelist'),
  listing('blacklist'),
  proof(createWhitelistEntry, {
    ...creating('whitelist'),
    errors: { errorNetworkAlias: { field: 'alias', input: unknownAlias } },
  }),
  proof(createBlacklistEntry, {
    ...creating('blacklist'),
    errors: {
      errorNetworkAlias: { field: 'alias', input: unknownAlias },
      ownAddressDenied: { field: 'ip', input: ({ browser }) => ({ body: { ip: browser.ip } }) },
      ownAddressDeniedLater: {
        field: 'ip',
        input: ({ browser }) => ({ body: { ip: browser.ip, dateFrom: later() } }),
      },
    },
  }),
  proof(updateWhitelistEntry, {
    ...updating('whitelist'),
    errors: {
      notFound: { input: async () => ({ ...(await theirs('whitelist')), body: entryOf(network()) }) },
      errorNetworkAlias: {
        field: 'alias',
        input: async () => ({ params: { id: (await named('whitelist')).id }, body: { alias: randomUUID() } }),
      },
      conflict: {
        input: (_, { id, ip }) => ({
          params: { id },
          body: { ...entryOf(ip), updatedAt: new Date(0).toISOString() },
        }),
      },
      ownAddressDenied: {
        field: 'ip',
        input: async (caller) => ({ params: await lastEntry(caller), body: { ip: network() } }),
      },
      ownAddressDeniedLater: {
        field: 'ip',
        input: async (caller) => ({
          params: await lastEntry(caller),
          body: { ip: caller.browser.ip, dateTo: later() },
        }),
      },
    },
  }),
  proof(updateBlacklistEntry, {
    ...updating('blacklist'),
    errors: {
      notFound: { input: async () => ({ ...(await theirs('blacklist')), body: entryOf(network()) }) },
      errorNetworkAlias: {
        field: 'alias',
        input: async () => ({ params: { id: (await named('blacklist')).id }, body: { alias: randomUUID() } }),
      },
      conflict: {
        input: (_, { id, ip }) => ({
          params: { id },
          body: { ...entryOf(ip), updatedAt: new Date(0).toISOString() },
        }),
      },
      ownAddressDenied: {
        field: 'ip',
        input: async ({ browser }) => ({ params: { id: await otherEntry() }, body: { ip: browser.ip } }),
      },
      ownAddressDeniedLater: {
        field: 'ip',
        input: async ({ browser }) => ({
          params: { id: await otherEntry() },
          body: { ip: browser.ip, dateFrom: later() },
        }),
      },
    },
  }),
  proof(deleteWhitelistEntry, {
    ...deleting('whitelist'),
    errors: {
      notFound: { input: () => theirs('whitelist') },
      ownAddressDenied: { field: 'id', input: async (caller) => ({ params: await lastEntry(caller) }) },
      ownAddressDeniedLater: {
        field: 'id',
        input: async (caller) => ({ params: await lastEntry(caller, inAnHour()) }),
      },
    },
  }),
  proof(deleteBlacklistEntry, { ...deleting('blacklist'), errors: { notFound: { input: () => theirs('blacklist') } } }),
  proof(checkAddress, {
    prepare: async () => {
      const ip = network()
      return { ip: ip.replace('::/64', '::7'), subnet: ip, id: await entry('blacklist', { ip, comment: 'Перебор' }) }
    },
    input: ({ ip }) => ({ query: { ip } }),
    shows: ({ id, subnet }) => ({
      verdict: 'denied',
      entries: [{ id, list: 'blacklist', subnet, aliasName: null, comment: 'Перебор', active: true }],
    }),
  }),
  provenIn(readWhitelistEnd, ['network/address-lists.test.ts']),
  proof(enableBlacklistEntry, {
    ...partsFor('blacklist'),
    errors: {
      ownAddressDenied: {
        field: 'enabled',
        input: async ({ browser }) => enabling(await entry('blacklist', { ip: `${browser.ip}/32`, enabled: false })),
      },
      ownAddressDeniedLater: {
        field: 'enabled',
        input: async ({ browser }) =>
          enabling(await entry('blacklist', { ip: `${browser.ip}/32`, enabled: false, dateFrom: inAnHour() })),
      },
    },
  }),
  proof(enableWhitelistEntry, {
    ...partsFor('whitelist'),
    errors: {
      ownAddressDenied: { field: 'enabled', input: (caller) => offWhitelist(caller) },
      ownAddressDeniedLater: { field: 'enabled', input: (caller) => offWhitelist(caller, inAnHour()) },
    },
  }),
  recording('openAccess', {
    makes: ['update access-lists', 'update settings'],
    prepare: async () => {
      await db()
        .insert(settings)
        .values({ id: 'whitelistMode', value: true })
        .onConflictDoUpdate({ target: settings.id, set: { value: true } })
      await db().insert(accessListEntries).values({ list: 'blacklist', ip: '192.0.2.0/24' })
      return () => openAccess(null, new Date())
    },
  }),
]
