import { randomUUID } from 'node:crypto'
import { db } from '@/db/client'
import { accessListEntries } from '@/db/schema'
import {
  createNetworkAlias,
  deleteNetworkAlias,
  listNetworkAliases,
  searchNetworkAliases,
  updateNetworkAlias,
} from '@/lib/network/network-aliases/contract'
import { signedInAsAdministrator } from '../../factories/access'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { proof } from '../../factories/proofs'
import { setSetting } from '../../factories/settings'

const alias = () => ({ name: randomUUID(), ips: [{ ip: '10.0.0.0/8', comment: 'офис' }], comment: '' })
const newAlias = async (caller: Caller) => {
  const body = alias()
  return { ...body, ...(await caller.call(createNetworkAlias, { body })) }
}
const aliasesNamed = async (caller: Caller, search: string) =>
  (await caller.call(listNetworkAliases, { query: { filter: { search } } })).networks
/** An alias that the blacklist uses, changed so that it contains the caller's own address. */
const withOwnAddress = async (caller: Caller, dateFrom: Date | null) => {
  const { id, name } = await newAlias(caller)
  await db().insert(accessListEntries).values({ list: 'blacklist', aliasId: id, dateFrom })
  return { params: { id }, body: { name, ips: [{ ip: caller.browser.ip }] } }
}

/** An alias that names the trusted proxies, changed so that it contains an address of a person. */
const trustedProxy = async (caller: Caller) => {
  const { id, name } = await newAlias(caller)
  await setSetting('reverseProxy', [id])
  return { params: { id }, body: { name, ips: [{ ip: '203.0.113.99' }] } }
}

export default [
  proof(listNetworkAliases, {
    prepare: newAlias,
    input: ({ name }) => ({ query: { filter: { search: name } } }),
    shows: (made) => ({ networks: [{ ...made, usedIn: [] }] }),
  }),
  proof(searchNetworkAliases, {
    prepare: newAlias,
    input: ({ id }) => ({ query: { ids: [id] } }),
    shows: ({ id, name }) => ({ networks: [{ id, name }] }),
  }),
  proof(createNetworkAlias, {
    makes: ['create network-aliases'],
    prepare: async () => alias(),
    input: (body) => ({ body }),
    look: (caller, { name }) => aliasesNamed(caller, name),
    shows: (body, { id }) => [{ id, ...body }],
    errors: {
      errorUnique: {
        field: 'name',
        input: async (caller) => ({ body: { ...alias(), name: (await newAlias(caller)).name } }),
      },
    },
  }),
  proof(updateNetworkAlias, {
    makes: ['update network-aliases'],
    prepare: newAlias,
    input: ({ id, name }) => ({ params: { id }, body: { name, ips: [{ ip: '192.0.2.0/24' }], comment: 'другая' } }),
    look: (caller, { name }) => aliasesNamed(caller, name),
    shows: ({ id }) => [{ id, ips: [{ ip: '192.0.2.0/24', comment: '' }], comment: 'другая' }],
    errors: {
      errorUnique: {
        field: 'name',
        input: async (caller, { id }) => ({
          params: { id },
          body: { ...alias(), name: (await newAlias(caller)).name },
        }),
      },
      ownAddressDenied: { field: 'ips', input: (caller) => withOwnAddress(caller, null) },
      ownAddressDeniedLater: {
        field: 'ips',
        input: (caller) => withOwnAddress(caller, new Date(Date.now() + 3_600_000)),
      },
      ownAddressMisread: {
        field: 'ips',
        by: async () => new Caller((await signedInAsAdministrator(new Browser(undefined, '203.0.113.99'))).browser),
        input: trustedProxy,
      },
      forbiddenSetting: { input: trustedProxy },
    },
  }),
  proof(deleteNetworkAlias, {
    makes: ['delete network-aliases'],
    prepare: newAlias,
    input: ({ id }) => ({ params: { id } }),
    look: (caller, { name }) => aliasesNamed(caller, name),
    shows: () => [],
    errors: {
      networkAliasUsed: {
        input: async (caller) => {
          const { id } = await newAlias(caller)
          await db().insert(accessListEntries).values({ list: 'whitelist', aliasId: id })
          return { params: { id } }
        },
      },
    },
  }),
]
