import { z } from 'zod'
import { readVersion } from '@/lib/kernel/http/area-calls'
import { Id, requiredLine } from '@/lib/kernel/http/contract'

/** A device's code (RFC 8628). */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
/** What a client may ask the token endpoint for. */
export const offeredGrants = ['authorization_code', 'refresh_token', 'client_credentials', deviceGrant] as const

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether an address leads to the very machine that asks for it. */
export const isLoopback = (address: string): boolean => loopback.has(new URL(address).hostname)

/** By what ID tokens may be signed; the first for whoever doesn't ask for another. */
export const signingAlgs = ['RS256', 'PS256', 'ES256'] as const

/** A part of an address that stands for many: nobody is led to an address that wasn't written out. */
export const isWildcard = (address: string): boolean => address.includes('*')

// a scheme that is a domain turned around belongs to whoever has the domain (RFC 8252, 7.1)
const privateUse = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:\/[^\s\\#]*$/i

/** Whether an address leads to a program of one's own by a scheme of its own, as `com.example.app:/callback`. */
const isPrivateUse = (address: string): boolean => {
  if (!privateUse.test(address) || !URL.canParse(address)) return false
  const { username, password } = new URL(address)
  return !username && !password
}

/** An absolute address that codes and logouts may go to: https, or http on one's own machine; no fragment, no account. */
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

/** Seconds, within the bounds of the settings of the same name; none means the setting. */
const Lifespan = z
  .number({ error: 'errorFormat' })
  .int('errorFormat')
  .min(1, 'errorRange')
  .max(7 * 86_400, 'errorRange')
  .nullable()

const ClientId = z.string({ error: 'errorEmpty' }).regex(/^[\w-]{1,64}$/, 'errorFormat')

/** What is wrong with an address for a client of this type; undefined for nothing. */
function addressFault(address: string, applicationType: 'web' | 'native'): string | undefined {
  if (isPrivateUse(address)) return applicationType === 'native' ? undefined : 'errorNativeAddress'
  // a certificate for one's own machine would have to come with the program, key and all
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

/** Tells each address that a client of this type can't have. */
function checkAddresses({ applicationType, ...fields }: Addressed, check: z.RefinementCtx) {
  for (const name of ['redirectUris', 'postLogoutRedirectUris'] as const)
    for (const [at, address] of fields[name].entries()) {
      const fault = addressFault(address, applicationType)
      if (fault) check.addIssue({ code: 'custom', message: fault, path: [name, at] })
    }
}

export const ClientInput = ClientFields.superRefine(checkAddresses)
export type ClientInput = z.output<typeof ClientInput>

/** Proofs without keys; those have a call of their own. */
const AuthMethod = z.enum(['client_secret_basic', 'client_secret_post', 'none'], 'errorFormat')

export const NewClientInput = ClientFields.omit({ updatedAt: true })
  .extend({
    applicationId: Id,
    authMethod: AuthMethod,
    /** Whether its authorization requests must carry PKCE. */
    pkceRequired: z.boolean({ error: 'errorFormat' }).default(true),
  })
  .superRefine(checkAddresses)
export type NewClientInput = z.output<typeof NewClientInput>

export const AuthMethodInput = z.strictObject({ clientId: ClientId, authMethod: AuthMethod })
export type AuthMethodInput = z.output<typeof AuthMethodInput>

/** Whether a client's authorization requests must carry PKCE. */
export const ClientPkceInput = z.strictObject({
  clientId: ClientId,
  required: z.boolean({ error: 'errorFormat' }),
})
export type ClientPkceInput = z.output<typeof ClientPkceInput>

/** Public keys by value, or where they are. */
export const ClientKeysInput = z
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
export type ClientKeysInput = z.output<typeof ClientKeysInput>
