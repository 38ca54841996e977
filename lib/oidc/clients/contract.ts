import { z } from 'zod'
import { readVersion } from '@/lib/kernel/http/area-calls'
import { Id, requiredLine } from '@/lib/kernel/http/contract'

/** The grant of a device code (RFC 8628). */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
/** The grants that a client may have. */
export const offeredGrants = ['authorization_code', 'refresh_token', 'client_credentials', deviceGrant] as const

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Returns whether an address leads to the machine that uses it. */
export const isLoopback = (address: string): boolean => loopback.has(new URL(address).hostname)

/** Algorithms that may sign ID tokens; the first one is the default. */
export const signingAlgs = ['RS256', 'PS256', 'ES256'] as const

/** Returns whether an address has a wildcard. Nobody is redirected to an address that was not written out. */
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
  if (/[\s\\#]/.test(address) || !URL.canParse(address)) return false
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
    for (const [at, address] of list.entries())
      if (list.indexOf(address) < at) check.addIssue({ code: 'custom', message: 'errorDuplicate', path: [at] })
  })

/** Seconds, within the bounds of the settings of the same name; null means the setting. */
const Lifespan = z
  .number({ error: 'errorFormat' })
  .int('errorFormat')
  .min(1, 'errorRange')
  .max(7 * 86_400, 'errorRange')
  .nullable()

const ClientId = z.string({ error: 'errorEmpty' }).regex(/^[\w-]{1,64}$/, 'errorFormat')

/** Returns the fault of an address for a client of this type; undefined for none. */
function addressFault(address: string, applicationType: 'web' | 'native'): string | undefined {
  if (isPrivateUse(address)) return applicationType === 'native' ? undefined : 'errorNativeAddress'
  // https on the same machine would need a certificate that is shipped with the program, private key included
  const claimed = applicationType === 'native' && address.startsWith('https:') && isLoopback(address)
  return claimed ? 'errorClientAddress' : undefined
}

const ClientFields = z.strictObject({
  clientId: ClientId,
  name: requiredLine(100),
  applicationType: z.enum(['web', 'native'], 'errorFormat'),
  redirectUris: Addresses,
  postLogoutRedirectUris: Addresses,
  backchannelLogoutUri: Address.nullable(),
  grantTypes: z
    .array(z.enum(offeredGrants, 'errorGrant'))
    .min(1, 'errorEmpty')
    .transform((grants) => [...new Set(grants)]),
  accessTokenLifespan: Lifespan,
  refreshTokenLifespan: Lifespan,
  idTokenAlg: z.enum(signingAlgs, 'errorFormat'),
  ...readVersion,
})
type Addressed = Pick<z.output<typeof ClientFields>, 'applicationType' | 'redirectUris' | 'postLogoutRedirectUris'>

/** Adds an issue for each address that a client of this type can not have. */
function checkAddresses({ applicationType, ...fields }: Addressed, check: z.RefinementCtx) {
  for (const name of ['redirectUris', 'postLogoutRedirectUris'] as const)
    for (const [at, address] of fields[name].entries()) {
      const fault = addressFault(address, applicationType)
      if (fault) check.addIssue({ code: 'custom', message: fault, path: [name, at] })
    }
}

export const UpdateClientInput = ClientFields.superRefine(checkAddresses)
export type UpdateClientInput = z.output<typeof UpdateClientInput>

/** Authentication methods without keys; those with keys have their own verb, `updateClientKeys`. */
const AuthMethod = z.enum(['client_secret_basic', 'client_secret_post', 'none'], 'errorFormat')

export const CreateClientInput = ClientFields.omit({ updatedAt: true })
  .extend({
    applicationId: Id,
    authMethod: AuthMethod,
    /** Whether its authorization requests must use PKCE. */
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

/** Public keys by value, or the address where they are published. */
export const UpdateClientKeysInput = z
  .strictObject({
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
  .superRefine(({ jwks, jwksUri }, check) => {
    if (jwks && jwksUri) check.addIssue({ code: 'custom', message: 'errorKeysTwice', path: ['jwksUri'] })
    if (!jwks && !jwksUri) check.addIssue({ code: 'custom', message: 'errorEmpty', path: ['jwks'] })
  })
export type UpdateClientKeysInput = z.output<typeof UpdateClientKeysInput>
