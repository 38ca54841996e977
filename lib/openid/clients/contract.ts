import { z } from 'zod'
import { contract, Done, Id, line, requiredLine } from '@/lib/base/contracts/contract'
import { readVersion } from '@/lib/base/lists/area-calls'

/** The grant of a device code (RFC 8628). */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
/** The grants that a client may have. */
export const offeredGrants = ['authorization_code', 'refresh_token', 'client_credentials', deviceGrant] as const

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Returns whether an address leads to the machine that uses it. */
export const isLoopback = (address: string): boolean => loopback.has(new URL(address).hostname)

/** Algorithms that may sign ID tokens; the first one is the default. */
export const signingAlgs = ['RS256', 'PS256', 'ES256'] as const

/** Returns whether an address has a wildcard. Redirects go only to addresses that are written out in full. */
export const isWildcard = (address: string): boolean => address.includes('*')

// a scheme made of a reversed domain belongs to the owner of the domain (RFC 8252, 7.1)
const privateUse = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:\/[^\s\\#]*$/i

/** Returns whether an address opens a program by its own scheme, such as `com.example.app:/callback`. */
const isPrivateUse = (address: string): boolean => {
  if (!privateUse.test(address) || !URL.canParse(address)) return false
  const { username, password } = new URL(address)
  return !username && !password
}

/**
 * Returns whether codes and logouts may be sent to an address: an absolute one with https, or with http on the same
 * machine; without fragment and credentials.
 */
function isClientAddress(address: string): boolean {
  // for a parser, https:app.example is an address; a redirected browser reads it as a path on our own site
  if (/[\s\\#]/.test(address) || !/^https?:\/\/[^/]/i.test(address) || !URL.canParse(address)) return false
  const { protocol, username, password } = new URL(address)
  if (username || password) return false
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(address))
}

const Line = requiredLine(2048).refine((address) => !isWildcard(address), { error: 'errorWildcard', abort: true })
const Address = Line.refine(isClientAddress, 'errorClientAddress')
const RedirectAddress = Line.refine(
  (address) => isClientAddress(address) || isPrivateUse(address),
  'errorClientAddress',
)
const Addresses = z
  .array(RedirectAddress)
  .max(50, 'errorTooMany')
  .superRefine((list, check) => {
    for (const [index, address] of list.entries())
      if (list.indexOf(address) < index) check.addIssue({ code: 'custom', message: 'errorDuplicate', path: [index] })
  })

/** The origin of pages, as browsers send it: without a path, in lower case; a slash at the end is left out. */
const Origin = requiredLine(255)
  .refine((origin) => !isWildcard(origin), { error: 'errorWildcard', abort: true })
  .overwrite((origin) =>
    URL.canParse(origin) && `${new URL(origin).origin}/` === origin ? origin.slice(0, -1) : origin,
  )
  .refine((origin) => isClientAddress(origin) && new URL(origin).origin === origin, 'errorOrigin')
const Origins = z
  .array(Origin)
  .max(50, 'errorTooMany')
  .superRefine((list, check) => {
    for (const [index, origin] of list.entries())
      if (list.indexOf(origin) < index) check.addIssue({ code: 'custom', message: 'errorDuplicate', path: [index] })
  })

/** Seconds, within the bounds of the settings of the same name; null means the setting. */
const Lifespan = z
  .number({ error: 'errorFormat' })
  .int('errorFormat')
  .min(1, 'errorRange')
  .max(7 * 86_400, 'errorRange')
  .nullable()

const ClientId = z
  .string({ error: 'errorEmpty' })
  .min(1, { error: 'errorEmpty', abort: true })
  .regex(/^[\w-]{1,64}$/, 'errorFormat')

/**
 * Whether every object has a property of this name, such as `__proto__`. The provider keeps what a session knows of
 * clients in an object by their ids: such a client would write into what all sessions share.
 */
export const isPropertyOfObjects = (clientId: string): boolean => clientId in {}

/** Returns the fault of an address for a client of this type; undefined for none. */
function addressFault(address: string, applicationType: 'web' | 'native'): string | undefined {
  if (isPrivateUse(address)) return applicationType === 'native' ? undefined : 'errorNativeAddress'
  // https on the same machine would need a certificate that is shipped with the program, private key included
  const isLoopbackHttps = applicationType === 'native' && address.startsWith('https:') && isLoopback(address)
  return isLoopbackHttps ? 'errorClientAddress' : undefined
}

const ClientFields = z.strictObject({
  clientId: ClientId.refine((clientId) => !isPropertyOfObjects(clientId), 'errorFormat'),
  name: requiredLine(100),
  applicationType: z.enum(['web', 'native'], 'errorFormat'),
  redirectUris: Addresses,
  postLogoutRedirectUris: Addresses,
  backchannelLogoutUri: Address.nullable(),
  /**
   * Origins whose pages may call the OpenID Provider for the client, besides those of its redirect addresses. An update
   * without it keeps the stored value.
   */
  allowedOrigins: Origins.optional(),
  grantTypes: z
    .array(z.enum(offeredGrants, 'errorGrant'))
    .min(1, 'errorEmpty')
    .transform((grants) => [...new Set(grants)]),
  accessTokenLifespan: Lifespan,
  refreshTokenLifespan: Lifespan,
  idTokenAlg: z.enum(signingAlgs, 'errorFormat'),
  /** Whether its authorization requests must use PKCE. An update without it keeps the stored value. */
  pkceRequired: z.boolean({ error: 'errorFormat' }).optional(),
  ...readVersion,
})
type AddressFields = Pick<z.output<typeof ClientFields>, 'applicationType' | 'redirectUris' | 'postLogoutRedirectUris'>

/** Adds an issue for each address that a client of this type can not have. */
function checkAddresses({ applicationType, ...fields }: AddressFields, check: z.RefinementCtx) {
  for (const name of ['redirectUris', 'postLogoutRedirectUris'] as const)
    for (const [index, address] of fields[name].entries()) {
      const fault = addressFault(address, applicationType)
      if (fault) check.addIssue({ code: 'custom', message: fault, path: [name, index] })
    }
}

export const UpdateClientInput = ClientFields.superRefine(checkAddresses)
export type UpdateClientInput = z.output<typeof UpdateClientInput>

/** Authentication methods without keys; `updateClientKeys` sets the one with keys. */
const AuthMethod = z.enum(['client_secret_basic', 'client_secret_post', 'none'], 'errorFormat')

export const CreateClientInput = ClientFields.omit({ updatedAt: true })
  .extend({
    applicationId: Id,
    authMethod: AuthMethod,
    pkceRequired: z.boolean({ error: 'errorFormat' }).default(true),
  })
  .superRefine(checkAddresses)
export type CreateClientInput = z.output<typeof CreateClientInput>

export const UpdateClientAuthMethodInput = z.strictObject({ clientId: ClientId, authMethod: AuthMethod })
export type UpdateClientAuthMethodInput = z.output<typeof UpdateClientAuthMethodInput>

/** The input that says whether a client's authorization requests must use PKCE. */
export const UpdateClientPkceInput = z.strictObject({
  clientId: ClientId,
  required: z.boolean({ error: 'errorFormat' }),
})
export type UpdateClientPkceInput = z.output<typeof UpdateClientPkceInput>

const Keys = z.strictObject({
  clientId: ClientId,
  jwks: z
    .object({
      keys: z
        .array(z.record(z.string().max(64), z.unknown()), 'errorKey')
        .min(1, 'errorEmpty')
        .max(20, 'errorTooMany'),
    })
    .optional(),
  jwksUri: Address.optional(),
})

function checkKeys({ jwks, jwksUri }: { jwks?: unknown; jwksUri?: string | undefined }, check: z.RefinementCtx) {
  if (jwks && jwksUri) check.addIssue({ code: 'custom', message: 'errorKeysTwice', path: ['jwksUri'] })
  if (!jwks && !jwksUri) check.addIssue({ code: 'custom', message: 'errorEmpty', path: ['jwks'] })
}

/** Public keys by value, or the address where they are published. */
export const UpdateClientKeysInput = Keys.superRefine(checkKeys)
export type UpdateClientKeysInput = z.output<typeof UpdateClientKeysInput>

/** A client as the administration shows it, with only the last characters of its secrets. */
export const Client = z.strictObject({
  clientId: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  type: z.enum(['confidential', 'public']),
  authMethod: z.enum(['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none']),
  applicationType: z.enum(['web', 'native']),
  redirectUris: z.array(z.string()),
  postLogoutRedirectUris: z.array(z.string()),
  backchannelLogoutUri: z.string().nullable(),
  allowedOrigins: z.array(z.string()),
  /** How many logout notices to that address are dead, and when and why the last one failed. */
  givenUpNotices: z
    .strictObject({ count: z.number().int(), at: z.iso.datetime(), error: z.string().nullable() })
    .nullable(),
  grantTypes: z.array(z.string()),
  accessTokenLifespan: z.number().int().nullable(),
  refreshTokenLifespan: z.number().int().nullable(),
  idTokenAlg: z.enum(signingAlgs),
  pkceRequired: z.boolean(),
  /** Public keys as JSON; null for none. */
  jwks: z.string().nullable(),
  jwksUri: z.string().nullable(),
  /** The newest first. */
  secrets: z.array(
    z.strictObject({
      tail: z.string(),
      /** When it was made; null if that isn't known. */
      since: z.iso.datetime().nullable(),
      /** Until when it is valid; null if it is valid until it is replaced. */
      until: z.iso.datetime().nullable(),
      /**
       * Whether it is older than the newest method of the service account, so that everybody who knew it has that
       * method too.
       */
      beforeRights: z.boolean(),
    }),
  ),
  updatedAt: z.iso.datetime(),
})
export type Client = z.output<typeof Client>

const path = '/setting/applications/client/{clientId}'
const common = { tag: 'applications', access: { area: 'applications' } } as const
const ByClient = z.strictObject({ clientId: ClientId })
const refusals = { forbiddenApplication: 403, applicationFixed: 409 } as const
const faults = {
  errorNativeAddress: 400,
  errorPkceNeeded: 400,
  errorPublicClient: 400,
  errorRefreshGrant: 400,
  errorRefreshTokenLifespan: 400,
} as const

export const createClient = contract({
  ...common,
  name: 'createClient',
  method: 'POST',
  path: '/setting/applications/{id}/clients',
  summary: 'Creates a client of an application; its secret is in the answer, null for one without authentication',
  snackbar: 'clientCreate',
  sensitive: true,
  params: z.strictObject({ id: Id }),
  body: ClientFields.omit({ updatedAt: true })
    .extend({ authMethod: AuthMethod, pkceRequired: z.boolean({ error: 'errorFormat' }).default(true) })
    .superRefine(checkAddresses),
  response: z.strictObject({ clientId: z.string(), secret: z.string().nullable() }),
  errors: { ...faults, ...refusals, errorUnique: 400, notFound: 404 },
})

export const updateClient = contract({
  ...common,
  name: 'updateClient',
  method: 'PUT',
  path,
  summary: 'Replaces a client’s fields; with `updatedAt` as read only if nobody saved it meanwhile',
  snackbar: 'clientUpdate',
  params: ByClient,
  body: ClientFields.omit({ clientId: true }).superRefine(checkAddresses),
  response: Done,
  errors: { ...faults, ...refusals, notFound: 404, conflict: 409 },
})

export const deleteClient = contract({
  ...common,
  name: 'deleteClient',
  method: 'DELETE',
  path,
  summary: 'Deletes a client with everything that was issued to it; it isn’t told',
  snackbar: 'clientDelete',
  params: ByClient,
  response: Done,
  errors: { ...refusals, forbiddenClient: 403, notFound: 404 },
})

export const enableClient = contract({
  ...common,
  name: 'enableClient',
  method: 'PUT',
  path: `${path}/enabled`,
  summary: 'Enables or disables a client; its tokens are refused at once',
  snackbar: 'clientEnabled',
  params: ByClient,
  body: z.strictObject({ enabled: z.boolean({ error: 'errorFormat' }), ...readVersion }),
  response: Done,
  errors: { ...refusals, notFound: 404, conflict: 409 },
})

export const updateClientAuthentication = contract({
  ...common,
  name: 'updateClientAuthentication',
  method: 'PUT',
  path: `${path}/authentication`,
  summary: 'Sets whether a client proves itself by a secret or not at all; a new secret is in the answer',
  snackbar: 'clientAuthentication',
  sensitive: true,
  params: ByClient,
  body: z.strictObject({ authMethod: AuthMethod, ...readVersion }),
  response: z.strictObject({ secret: z.string().nullable() }),
  errors: { ...refusals, errorPublicClient: 400, notFound: 404, conflict: 409 },
})

export const updateClientKeys = contract({
  ...common,
  name: 'updateClientKeys',
  method: 'PUT',
  path: `${path}/keys`,
  summary: 'Sets the public keys by which a client proves itself, by value or by their address; its secrets go',
  snackbar: 'clientKeys',
  params: ByClient,
  body: Keys.omit({ clientId: true, jwks: true })
    .extend({
      /** A JSON Web Key Set, as text. */
      jwks: line(20_000).optional(),
      ...readVersion,
    })
    .superRefine(checkKeys),
  response: Done,
  errors: {
    ...refusals,
    errorKey: 400,
    errorKeyId: 400,
    errorKeysTwice: 400,
    errorPrivateKey: 400,
    notFound: 404,
    conflict: 409,
  },
})

const secretCall = { ...common, path: `${path}/secret`, params: ByClient, sensitive: true } as const

export const readClientSecret = contract({
  ...secretCall,
  access: { method: 'applications.write' },
  name: 'readClientSecret',
  method: 'GET',
  summary: 'The current secret of a client; each reading is in the history',
  response: z.strictObject({ secret: z.string() }),
  errors: { ...refusals, clientWithoutSecret: 409, notFound: 404 },
})

/** The longest time in seconds for which a previous secret may stay valid. */
export const longestOverlap = 30 * 86_400

export const rotateClientSecret = contract({
  ...secretCall,
  name: 'rotateClientSecret',
  method: 'PUT',
  summary: 'Creates a new secret; the previous one stays valid for `overlap` seconds, none by default',
  snackbar: 'clientSecret',
  body: z.strictObject({
    overlap: z
      .number({ error: 'errorFormat' })
      .int('errorFormat')
      .min(0, 'errorRange')
      .max(longestOverlap, 'errorRange')
      .default(0),
    ...readVersion,
  }),
  response: z.strictObject({ secret: z.string() }),
  errors: { ...refusals, clientWithoutSecret: 409, notFound: 404, conflict: 409 },
})

export const endPreviousSecret = contract({
  ...secretCall,
  name: 'endPreviousSecret',
  method: 'DELETE',
  summary: 'Ends the previous secret of a client before its time',
  snackbar: 'clientSecretEnd',
  response: Done,
  errors: { ...refusals, notFound: 404 },
})
