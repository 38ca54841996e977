import { z } from 'zod'
import { contract, Id, line, requiredLine } from '@/lib/base/contracts/contract'
import { ExternalSecret, externalAddress } from '@/lib/base/http/external-address'
import { areaCalls, readVersion } from '@/lib/base/lists/area-calls'
import { ListMeta, listQuery, many, yesNoFilter } from '@/lib/base/lists/lists'
import { asciiDomain, mailDomain } from '@/lib/base/text/email'
import { providerTypes } from '@/lib/identity-providers/connections/kinds'

export const periodAmounts = ['minutes', 'hours', 'days'] as const
export const syncStatuses = ['disabled', 'await', 'process', 'success', 'error'] as const

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** A mail domain: labels with a dot between them, the last one not a number. */
const MailDomain = z
  .string({ error: 'errorEmpty' })
  .trim()
  .max(253, 'errorTooLong')
  .transform((typed, check) => {
    const domain = mailDomain(typed)
    const labels = asciiDomain(domain ?? '')?.split('.') ?? []
    const isDomain =
      labels.length > 1 && labels.every((part) => label.test(part)) && /^[a-z].+/.test(labels.at(-1) ?? '')
    if (domain === null || !isDomain) check.addIssue({ code: 'custom', message: 'errorMailDomain' })
    return domain ?? ''
  })

const Address = externalAddress('errorProviderAddress')

/** Names of scopes as of RFC 6749, section 3.3. */
const Scope = requiredLine(100).regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'errorScope')

/** Directories have short names for clients (`isClientCode`); other providers give out longer ones. */
const ClientId = requiredLine(255).regex(/^[\x21-\x7e]+$/, 'errorClientCode')
export const isClientCode = (text: string): boolean => /^[\w-]{1,64}$/.test(text)

const connection = { url: Address, realm: line(255).default(''), clientId: ClientId }
export const defaultScopes = ['profile', 'email'] as const
const description = {
  name: requiredLine(100),
  emailDomains: z
    .array(MailDomain)
    .max(100, 'errorTooMany')
    .superRefine((list, check) => {
      for (const [index, item] of list.entries())
        if (list.indexOf(item) < index) check.addIssue({ code: 'custom', message: 'errorDuplicate', path: [index] })
    })
    .default([]),
  /** Ids of the domains whose sign-in pages offer it. */
  domains: z.array(Id).max(100, 'errorTooMany').default([]),
  /** The scopes that an OpenID provider is asked for besides `openid`. */
  scopes: z
    .array(Scope)
    .max(20, 'errorTooMany')
    .transform((list) => [...new Set(list)].filter((item) => item !== 'openid'))
    .default([]),
}
const Type = z.enum(providerTypes, { error: 'errorOption' })

/** The state of a synchronization; exchanges with other systems have the same states. */
export const SyncDetails = z.strictObject({
  status: z.enum(syncStatuses),
  /** How many rows of the last run were done, and how many failed. */
  success: z.number().int(),
  error: z.number().int(),
  /** When the next scheduled run begins; null without one. */
  nextAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime().nullable(),
  completedAt: z.iso.datetime().nullable(),
  /** Why the last run stopped: the code of an error. */
  fault: z.string().nullable(),
  /** The last run, or the one that works. */
  runId: Id.nullable(),
  /** Whether scheduled runs are paused until a start by hand or a save, because the last run failed. */
  held: z.boolean(),
  /** Why a run can't start now: the code of an error; null if it can. */
  startBarred: z.string().nullable(),
})
export type SyncDetails = z.output<typeof SyncDetails>

const Sync = z.strictObject({
  id: Id,
  type: z.string(),
  enabled: z.boolean(),
  periodUnit: z.number().int(),
  periodAmount: z.enum(periodAmounts),
  syncLimit: z.number().int(),
  /** How many mappers it has, and whether it has base ones. */
  mappers: z.number().int(),
  baseMappers: z.boolean(),
  details: SyncDetails,
  updatedAt: z.iso.datetime(),
})
export type ProviderSync = z.output<typeof Sync>

const Row = z.strictObject({
  id: Id,
  type: Type,
  enabled: z.boolean(),
  name: z.string(),
  url: z.string(),
  realm: z.string(),
  clientId: z.string(),
  /** The last characters of the secret. */
  secretTail: z.string(),
  emailDomains: z.array(z.string()),
  domains: z.array(Id),
  scopes: z.array(z.string()),
  /** The addresses to which it sends people back, one for each domain on which people may sign in through it. */
  redirects: z.array(z.string()),
  /** How many accounts it keeps. */
  people: z.number().int(),
  /** How many accounts that it doesn't keep are linked to one of its accounts. */
  linked: z.number().int(),
  sync: z.array(Sync),
  /** Whether an administrator vouches for it. */
  vouched: z.boolean(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type Provider = z.output<typeof Row>

export const ProviderQuery = listQuery({
  filters: {
    search: line(100).optional(),
    type: many(Type, 3).optional(),
    enabled: yesNoFilter().optional(),
  },
  sorts: ['name', 'type', 'updatedAt'],
  defaultSort: { by: 'name', order: 'asc' },
})

const path = '/setting/providers'
const calls = areaCalls('providers', path, { one: 'Provider', many: 'Providers', snackbar: 'providers' })
const errors = {
  errorUnique: 400,
  errorRealm: 400,
  errorProviderHttps: 400,
  errorDomain: 400,
  errorEmpty: 400,
  errorClientCode: 400,
  errorScopes: 400,
}

export const listProviders = calls.list({
  summary: 'Outside directories, with how their synchronization stands',
  query: ProviderQuery,
  response: z.strictObject({ providers: z.array(Row), meta: ListMeta }),
})

export const createProvider = calls.create({
  summary: 'Adds a directory; it is switched off at first',
  body: z.strictObject({
    type: Type,
    ...connection,
    clientSecret: ExternalSecret.min(1, 'errorEmpty'),
    ...description,
  }),
  errors: { ...errors, forbiddenSetting: 403 },
})

export const readProvider = calls.read({
  summary: 'A directory, without its secret',
  response: z.strictObject({ provider: Row }),
})

export const updateProvider = calls.update({
  summary: 'Replaces a directory; an empty secret stays as it is, unless the secret would go to another address',
  body: z.strictObject({ ...connection, clientSecret: ExternalSecret.default(''), ...description, ...readVersion }),
  errors: {
    ...errors,
    errorSecretAgain: 400,
    forbiddenUser: 403,
    forbiddenRole: 403,
    forbiddenSetting: 403,
    lastAdministrator: 409,
  },
})

export const deleteProvider = calls.remove({
  summary: 'Deletes a directory that keeps no account',
  errors: { forbiddenUser: 403, forbiddenRole: 403, providerUsed: 409 },
})

export const enableProvider = calls.enable({
  summary: 'Switches a directory on or off; while it is off, nobody signs in through it and nothing is synchronized',
  errors: { forbiddenUser: 403, forbiddenRole: 403, forbiddenSetting: 403, lastAdministrator: 409 },
})

const checkErrors = {
  errorRealm: 400,
  errorClientCode: 400,
  errorProviderHttps: 400,
  errorEmpty: 400,
  errorSecretAgain: 400,
  providerConnection: 400,
  providerSecret: 400,
  providerAccess: 400,
  notFound: 404,
  tooManyAttempts: 429,
} as const

export const checkProvider = contract({
  tag: 'providers',
  access: { area: 'providers' },
  name: 'checkProvider',
  snackbar: 'providersStatus',
  method: 'POST',
  path: `${path}/status`,
  summary:
    'Tries to sign in to a directory and to read one person, or to find an OpenID provider and prove the client to it; `id` takes the stored secret for an empty one',
  body: z.strictObject({ id: Id.optional(), type: Type, ...connection, clientSecret: ExternalSecret.default('') }),
  response: z.strictObject({ status: z.literal('success'), people: z.number().int().nullable() }),
  errors: checkErrors,
  sensitive: true,
})

export const readProviderSecret = contract({
  tag: 'providers',
  access: { method: 'providers.write' },
  name: 'readProviderSecret',
  method: 'GET',
  path: `${path}/{id}/secret`,
  summary: 'The secret of a directory; each reading is in the history',
  params: z.strictObject({ id: Id }),
  response: z.strictObject({ secret: z.string() }),
  errors: { forbiddenUser: 403, forbiddenRole: 403, notFound: 404 },
  sensitive: true,
})
