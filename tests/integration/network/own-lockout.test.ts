import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { accessListEntries, history, networkAliases, networkAliasIps, settings } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import * as lists from '@/lib/network/access-lists/contract'
import { updateNetworkAlias } from '@/lib/network/network-aliases/contract'
import { savePlatformSettings } from '@/lib/operations/settings-screen/contract'
import { signedInAsAdministrator } from '../../factories/access'
import { Browser } from '../../factories/browser'
import type { AnyContract, Input } from '../../factories/caller'
import { first } from '../../factories/platform'
import { handlerOf } from '../../factories/routes'
import { setSetting } from '../../factories/settings'
import { useTestDatabase } from '../../setup/database'

// rule: docs/rules/address-lists.md#own-address

useTestDatabase()

const mine = '203.0.113.7'
const [proxy, balancer] = ['10.0.0.1', '10.0.0.0/24']
const minute = 60_000
const at = (shift: number) => new Date(Date.now() + shift)
const soon = () => at(60 * minute).toISOString()

let browser: Browser
beforeAll(async () => {
  browser = (await signedInAsAdministrator(new Browser(undefined, mine))).browser
})
beforeEach(async () => {
  await db().delete(accessListEntries)
  await db().delete(settings)
  await db().delete(networkAliases)
  for (const name of ['settings', 'network-aliases']) dropCached(name)
})

type Entry = Omit<typeof accessListEntries.$inferInsert, 'list'>
const entry = (list: 'whitelist' | 'blacklist') => async (values: Entry) =>
  first(
    await db()
      .insert(accessListEntries)
      .values({ list, ...values })
      .returning(),
  ).id
const [white, black] = [entry('whitelist'), entry('blacklist')]
const alias = async (...ips: string[]) => {
  const { id } = first(await db().insert(networkAliases).values({ name: 'Офис' }).returning())
  await db()
    .insert(networkAliasIps)
    .values(ips.map((ip, order) => ({ aliasId: id, ip, order })))
  return id
}
const withMode = () => setSetting('whitelistMode', true)
const trusting = (...ids: string[]) => setSetting('reverseProxy', ids)
/** Where the request comes from, as the server process writes it. */
const through = (forwardedFor: string) => ({
  'x-platform-socket': proxy,
  'x-platform-forwarded-for': forwardedFor,
})

type Path = {
  /** What is stored before; returns the call that would shut out whoever makes it. */
  given: () => Promise<{ contract: AnyContract; input: Input; headers?: Record<string, string> }>
  field: string
  code?: 'ownAddressDenied' | 'ownAddressDeniedLater' | 'ownAddressMisread'
}
const id = (of: string) => ({ params: { id: of } })
const aliasOf = (...ips: string[]) => ({ name: 'Офис', ips: ips.map((ip) => ({ ip })) })

const paths: Record<string, Path> = {
  'a blacklist entry of one’s network': {
    given: async () => ({ contract: lists.createBlacklistEntry, input: { body: { ip: '203.0.113.0/24' } } }),
    field: 'ip',
  },
  'a blacklist entry of one’s address as IPv6 maps it': {
    given: async () => ({ contract: lists.createBlacklistEntry, input: { body: { ip: `::ffff:${mine}/128` } } }),
    field: 'ip',
  },
  'a blacklist entry that begins in an hour': {
    given: async () => ({ contract: lists.createBlacklistEntry, input: { body: { ip: mine, dateFrom: soon() } } }),
    field: 'ip',
    code: 'ownAddressDeniedLater',
  },
  'a blacklist entry that names an alias': {
    given: async () => ({
      contract: lists.createBlacklistEntry,
      input: { body: { alias: await alias('198.51.100.0/24', mine) } },
    }),
    field: 'alias',
  },
  'a blacklist entry that gets another subnet': {
    given: async () => ({
      contract: lists.updateBlacklistEntry,
      input: { ...id(await black({ ip: '198.51.100.0/24' })), body: { ip: '0.0.0.0/0' } },
    }),
    field: 'ip',
  },
  'a blacklist entry that loses its end': {
    given: async () => ({
      contract: lists.updateBlacklistEntry,
      input: { ...id(await black({ ip: mine, dateTo: at(-minute) })), body: { ip: mine } },
    }),
    field: 'ip',
  },
  'a blacklist entry whose past dates move into the future': {
    given: async () => ({
      contract: lists.updateBlacklistEntry,
      input: { ...id(await black({ ip: mine, dateTo: at(-minute) })), body: { ip: mine, dateFrom: soon() } },
    }),
    field: 'ip',
    code: 'ownAddressDeniedLater',
  },
  'a blacklist entry that is switched on': {
    given: async () => ({
      contract: lists.enableBlacklistEntry,
      input: { ...id(await black({ ip: mine, enabled: false })), body: { enabled: true } },
    }),
    field: 'enabled',
  },
  'a whitelist entry that is deleted': {
    given: async () => {
      await withMode()
      return { contract: lists.deleteWhitelistEntry, input: id(await white({ ip: mine })) }
    },
    field: 'id',
  },
  'a whitelist entry that is deleted while the next one ends': {
    given: async () => {
      await withMode()
      await white({ ip: mine, dateTo: at(minute) })
      return { contract: lists.deleteWhitelistEntry, input: id(await white({ ip: mine })) }
    },
    field: 'id',
    code: 'ownAddressDeniedLater',
  },
  'a whitelist entry that is switched off': {
    given: async () => {
      await withMode()
      return {
        contract: lists.enableWhitelistEntry,
        input: { ...id(await white({ ip: mine })), body: { enabled: false } },
      }
    },
    field: 'enabled',
  },
  'a whitelist entry that gets another subnet': {
    given: async () => {
      await withMode()
      const one = id(await white({ ip: mine }))
      return { contract: lists.updateWhitelistEntry, input: { ...one, body: { ip: '203.0.113.8' } } }
    },
    field: 'ip',
  },
  'a whitelist entry that gets an end': {
    given: async () => {
      await withMode()
      const one = id(await white({ ip: mine }))
      return { contract: lists.updateWhitelistEntry, input: { ...one, body: { ip: mine, dateTo: soon() } } }
    },
    field: 'ip',
    code: 'ownAddressDeniedLater',
  },
  'a whitelist entry that begins later': {
    given: async () => {
      await withMode()
      const one = id(await white({ ip: mine }))
      return { contract: lists.updateWhitelistEntry, input: { ...one, body: { ip: mine, dateFrom: soon() } } }
    },
    field: 'ip',
  },
  'an alias of the whitelist that loses one’s subnet': {
    given: async () => {
      await withMode()
      const office = await alias('203.0.113.0/24')
      await white({ aliasId: office })
      return { contract: updateNetworkAlias, input: { ...id(office), body: aliasOf('198.51.100.0/24') } }
    },
    field: 'ips',
  },
  'an alias of the blacklist that gets one’s subnet': {
    given: async () => {
      const others = await alias('198.51.100.0/24')
      await black({ aliasId: others })
      return { contract: updateNetworkAlias, input: { ...id(others), body: aliasOf('203.0.112.0/23') } }
    },
    field: 'ips',
  },
  'an alias of an entry that begins later': {
    given: async () => {
      const others = await alias('198.51.100.0/24')
      await black({ aliasId: others, dateFrom: at(60 * minute) })
      return { contract: updateNetworkAlias, input: { ...id(others), body: aliasOf(mine) } }
    },
    field: 'ips',
    code: 'ownAddressDeniedLater',
  },
  'whitelistMode without an entry': {
    given: async () => ({ contract: savePlatformSettings, input: { body: { whitelistMode: { value: true } } } }),
    field: 'whitelistMode',
  },
  'whitelistMode with an entry that is off': {
    given: async () => {
      await white({ ip: mine, enabled: false })
      return { contract: savePlatformSettings, input: { body: { whitelistMode: { value: true } } } }
    },
    field: 'whitelistMode',
  },
  'whitelistMode with an entry that ends': {
    given: async () => {
      await white({ ip: mine, dateTo: at(minute) })
      return { contract: savePlatformSettings, input: { body: { whitelistMode: { value: true } } } }
    },
    field: 'whitelistMode',
    code: 'ownAddressDeniedLater',
  },
  'a trusted proxy whose header names a denied address': {
    given: async () => {
      await black({ ip: '198.51.100.0/24' })
      const value = [await alias(balancer)]
      return {
        contract: savePlatformSettings,
        input: { body: { reverseProxy: { value_props: { value } } } },
        headers: through('198.51.100.1'),
      }
    },
    field: 'reverseProxy',
  },
  'a proxy that is trusted no longer, while its own address is not whitelisted': {
    given: async () => {
      await trusting(await alias(balancer))
      await white({ ip: mine })
      await withMode()
      return {
        contract: savePlatformSettings,
        input: { body: { reverseProxy: { value_props: { value: [] } } } },
        headers: through(mine),
      }
    },
    field: 'reverseProxy',
  },
  'a proxy that is trusted no longer, so that everybody has its address': {
    given: async () => {
      await trusting(await alias(balancer))
      return {
        contract: savePlatformSettings,
        input: { body: { reverseProxy: { value_props: { value: [] } } } },
        headers: through(mine),
      }
    },
    field: 'reverseProxy',
    code: 'ownAddressMisread',
  },
  'the people’s own network as a trusted proxy': {
    given: async () => {
      const value = [await alias('203.0.113.0/24')]
      return { contract: savePlatformSettings, input: { body: { reverseProxy: { value_props: { value } } } } }
    },
    field: 'reverseProxy',
    code: 'ownAddressMisread',
  },
  'an alias of the trusted proxies that loses the one in use': {
    given: async () => {
      const proxies = await alias(balancer)
      await trusting(proxies)
      const input = { ...id(proxies), body: aliasOf('10.0.1.0/24') }
      return { contract: updateNetworkAlias, input, headers: through(mine) }
    },
    field: 'ips',
    code: 'ownAddressMisread',
  },
  'an alias of the trusted proxies that gets the people’s own network': {
    given: async () => {
      const proxies = await alias(balancer)
      await trusting(proxies)
      return { contract: updateNetworkAlias, input: { ...id(proxies), body: aliasOf(balancer, '203.0.113.0/24') } }
    },
    field: 'ips',
    code: 'ownAddressMisread',
  },
}

/** Everything that decides, and what was recorded of it. */
const stored = async () => ({
  entries: await db().select().from(accessListEntries).orderBy(accessListEntries.id),
  aliases: await db().select().from(networkAliases),
  subnets: await db().select().from(networkAliasIps).orderBy(networkAliasIps.ip),
  settings: await db().select().from(settings).orderBy(settings.id),
  recorded: await db().$count(history),
})

describe('nobody shuts themselves out by', () => {
  test.each(Object.entries(paths))('%s', async (_, { given, field, code = 'ownAddressDenied' }) => {
    const { contract, input, headers = {} } = await given()
    for (const name of ['settings', 'network-aliases']) dropCached(name)
    const before = await stored()
    const answer = await browser.send(handlerOf(contract), contract.method, { ...input, headers } as never)
    expect(answer).toMatchObject({ status: 400, body: { code, data: { errorList: [{ field, code }] } } })
    expect(await stored()).toEqual(before)
    if (code === 'ownAddressMisread') return
    // the advice of the white list helps where the list is named, and nowhere else
    const [fault] = (answer.body as { data: { errorList: { params: { list: string } }[] } }).data.errorList
    await white({ ip: mine })
    for (const name of ['settings', 'network-aliases']) dropCached(name)
    const again = await browser.send(handlerOf(contract), contract.method, { ...input, headers } as never)
    const { list = '' } = fault?.params ?? {}
    expect([again.status, list]).toEqual(
      list === 'whitelist' ? [200, list] : [400, expect.stringMatching(/^(black|prox)/)],
    )
  })
})

describe('what shuts out somebody else is theirs to decide:', () => {
  test.each([
    ['a blacklist entry', async () => ({ contract: lists.createBlacklistEntry, input: { body: { ip: '0.0.0.0/1' } } })],
    ['a network of IPv6', async () => ({ contract: lists.createBlacklistEntry, input: { body: { ip: '::/0' } } })],
    [
      'whitelistMode with one’s own entry alone',
      async () => {
        await white({ ip: mine })
        return { contract: savePlatformSettings, input: { body: { whitelistMode: { value: true } } } }
      },
    ],
    [
      'an entry that denied oneself already',
      async () => {
        const one = await black({ ip: mine })
        return { contract: lists.updateBlacklistEntry, input: { ...id(one), body: { ip: '203.0.113.0/24' } } }
      },
    ],
  ] satisfies [string, Path['given']][])('%s', async (_, given) => {
    const { contract, input } = await given()
    for (const name of ['settings', 'network-aliases']) dropCached(name)
    const { status, body } = await browser.send(handlerOf(contract), contract.method, input as never)
    expect([status, body.code]).toEqual([200, undefined])
  })
})

test('an alias that a list or the proxies name can’t be deleted at all', async () => {
  const { deleteNetworkAlias } = await import('@/lib/network/network-aliases/contract')
  const office = await alias('203.0.113.0/24')
  await white({ aliasId: office })
  await withMode()
  dropCached('network-aliases')
  const answer = await browser.send(handlerOf(deleteNetworkAlias), 'DELETE', id(office))
  expect([answer.status, answer.body.code]).toEqual([409, 'networkAliasUsed'])
  expect(await db().$count(networkAliases, eq(networkAliases.id, office))).toBe(1)
})
