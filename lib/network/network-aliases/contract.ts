import { z } from 'zod'
import { Id, line, requiredLine } from '@/lib/base/contracts/contract'
import { areaCalls, readVersion } from '@/lib/base/lists/area-calls'
import { CursorMeta, listQuery, yesNoFilter } from '@/lib/base/lists/lists'
import { Subnet } from '@/lib/base/runtime/subnet'

const NetworkAliasInput = z.strictObject({
  name: requiredLine(100),
  ips: z
    .array(z.strictObject({ ip: Subnet, comment: line().default('') }))
    .min(1, 'errorEmpty')
    .max(500, 'errorTooMany')
    .superRefine((ips, check) => {
      for (const [index, { ip }] of ips.entries())
        if (ips.findIndex((row) => row.ip === ip) < index)
          check.addIssue({ code: 'custom', message: 'errorDuplicate', path: [index, 'ip'] })
    }),
  comment: line().default(''),
})
export type NetworkAliasInput = z.output<typeof NetworkAliasInput>

/** Where an alias is used: in the setting of trusted proxies, or in entries of the whitelist or the blacklist. */
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

export const NetworkAliasQuery = listQuery({
  filters: { search: line(100).optional(), used: yesNoFilter().optional(), ip: Subnet.optional() },
  sorts: ['name', 'updatedAt'],
  defaultSort: { by: 'name', order: 'asc' },
  cursor: true,
})

const calls = areaCalls('network-aliases', '/setting/network-aliases', {
  one: 'NetworkAlias',
  many: 'NetworkAliases',
  snackbar: 'networkAlias',
})
const limits = { bodyLimit: 256 * 1024, errors: { errorUnique: 400 } }

export const listNetworkAliases = calls.list({
  summary: 'Named groups of addresses; `filter[ip]` finds those that overlap an address or a subnet',
  query: NetworkAliasQuery,
  response: z.strictObject({ networks: z.array(NetworkAlias), meta: CursorMeta }),
})

export const createNetworkAlias = calls.create({
  summary: 'Creates a group of addresses',
  body: NetworkAliasInput,
  ...limits,
})

export const updateNetworkAlias = calls.update({
  summary: 'Replaces a group of addresses; with `updatedAt` as read only if nobody saved it meanwhile',
  body: NetworkAliasInput.extend(readVersion),
  ...limits,
  errors: {
    ...limits.errors,
    forbiddenSetting: 403,
    ownAddressDenied: 400,
    ownAddressDeniedLater: 400,
    ownAddressMisread: 400,
  },
})

export const deleteNetworkAlias = calls.remove({
  summary: 'Deletes a group of addresses that nothing uses',
  errors: { networkAliasUsed: 409 },
})

export const searchNetworkAliases = calls.search({
  summary: 'Up to 50 aliases for a choice: by part of the name, or these ids',
  areas: ['settings', 'access-lists'],
  response: z.strictObject({ networks: z.array(NetworkAlias.pick({ id: true, name: true })) }),
})
