import { z } from 'zod'
import { contract, Done, Id, line, requiredLine } from '@/lib/kernel/http/contract'
import { ListMeta, listQuery, many, yesNo } from '@/lib/kernel/lists'
import { normalSubnet } from './subnet'

const tag = 'network-aliases'
const access = { area: 'network-aliases' }

/** An address or a subnet, IPv4 or IPv6, in whatever spelling; comes out in its one. */
const Subnet = z
  .string({ error: 'errorEmpty' })
  .trim()
  .min(1, 'errorEmpty')
  .max(64, 'errorSubnet')
  .refine((text) => normalSubnet(text) !== undefined, 'errorSubnet')
  .transform((text) => normalSubnet(text) ?? text)

const NetworkAliasInput = z.strictObject({
  name: requiredLine(100),
  ips: z
    .array(z.strictObject({ ip: Subnet, comment: line().default('') }))
    .min(1, 'errorEmpty')
    .max(500, 'errorTooMany')
    .superRefine((ips, check) => {
      for (const [at, { ip }] of ips.entries())
        if (ips.findIndex((other) => other.ip === ip) < at)
          check.addIssue({ code: 'custom', message: 'errorDuplicate', path: [at, 'ip'] })
    }),
  comment: line().default(''),
})
export type NetworkAliasInput = z.output<typeof NetworkAliasInput>

/** Where an alias is used: the setting of trusted proxies, entries of the white and the black list. */
const Usage = z.strictObject({ place: z.enum(['reverseProxy', 'whitelist', 'blacklist']), count: z.number().int() })
export type Usage = z.output<typeof Usage>

const NetworkAlias = z.strictObject({
  id: Id,
  name: z.string(),
  ips: z.array(z.strictObject({ ip: z.string(), comment: z.string() })),
  comment: z.string(),
  usedIn: z.array(Usage),
  updatedAt: z.iso.datetime(),
})
export type NetworkAlias = z.output<typeof NetworkAlias>

/** The version that was read; saved meanwhile by somebody else, the answer is 409. Without it the last one wins. */
const version = { updatedAt: z.iso.datetime({ error: 'errorFormat' }).optional() }
const limits = { bodyLimit: 256 * 1024, errors: { errorUnique: 400 } }

export const NetworkAliasQuery = listQuery({
  filters: {
    search: line(100).optional(),
    used: yesNo().optional(),
    ip: Subnet.optional(),
  },
  sorts: ['name', 'updatedAt'],
  defaultSort: { by: 'name', order: 'asc' },
})

export const listNetworkAliases = contract({
  name: 'listNetworkAliases',
  method: 'GET',
  path: '/setting/network-aliases',
  summary: 'Named groups of addresses; `filter[ip]` finds those that overlap an address or a subnet',
  tag,
  access,
  query: NetworkAliasQuery,
  response: z.strictObject({ networks: z.array(NetworkAlias), meta: ListMeta }),
})

export const createNetworkAlias = contract({
  name: 'createNetworkAlias',
  method: 'POST',
  path: '/setting/network-aliases',
  summary: 'Creates a group of addresses',
  tag,
  access,
  body: NetworkAliasInput,
  response: z.strictObject({ id: Id }),
  notice: 'networkAliasCreate',
  ...limits,
})

export const updateNetworkAlias = contract({
  name: 'updateNetworkAlias',
  method: 'PUT',
  path: '/setting/network-aliases/{id}',
  summary: 'Replaces a group of addresses; with `updatedAt` as read only if nobody saved it meanwhile',
  tag,
  access,
  params: z.strictObject({ id: Id }),
  body: NetworkAliasInput.extend(version),
  response: Done,
  notice: 'networkAliasUpdate',
  ...limits,
  errors: { ...limits.errors, notFound: 404, conflict: 409 },
})

export const deleteNetworkAlias = contract({
  name: 'deleteNetworkAlias',
  method: 'DELETE',
  path: '/setting/network-aliases/{id}',
  summary: 'Deletes a group of addresses that nothing uses',
  tag,
  access,
  params: z.strictObject({ id: Id }),
  response: Done,
  errors: { notFound: 404, networkAliasUsed: 409 },
  notice: 'networkAliasDelete',
})

export const searchNetworkAliases = contract({
  name: 'searchNetworkAliases',
  method: 'GET',
  path: '/setting/network-aliases/search',
  summary: 'Up to 50 aliases for a choice: by part of the name, or these ids',
  tag,
  access: { areas: ['network-aliases', 'settings', 'access-lists'] },
  query: z.strictObject({
    searchValue: line(100).optional(),
    ids: many(Id, 100).optional(),
  }),
  response: z.strictObject({ networks: z.array(z.strictObject({ id: Id, name: z.string() })) }),
})
