import { z } from 'zod'
import { readVersion } from '@/lib/kernel/http/area-calls'
import { requiredLine } from '@/lib/kernel/http/contract'

/** A device's code (RFC 8628). */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
/** What a client may ask the token endpoint for. */
export const offeredGrants = ['authorization_code', 'refresh_token', 'client_credentials', deviceGrant] as const

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether an address leads to the very machine that asks for it. */
export const isLoopback = (address: string): boolean => loopback.has(new URL(address).hostname)

/** An absolute address that codes and logouts may go to: https, or http on one's own machine; no fragment, no account. */
function isClientAddress(address: string): boolean {
  if (/[\s\\#]/.test(address) || !URL.canParse(address)) return false
  const { protocol, username, password } = new URL(address)
  if (username || password) return false
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(address))
}

const Address = requiredLine(2048).refine(isClientAddress, 'errorClientAddress')
const Addresses = z
  .array(Address)
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

export const ClientInput = z.strictObject({
  clientId: ClientId,
  name: requiredLine(100),
  redirectUris: Addresses,
  postLogoutRedirectUris: Addresses,
  backchannelLogoutUri: Address.nullable(),
  grantTypes: z
    .array(z.enum(offeredGrants, 'errorGrant'))
    .min(1, 'errorEmpty')
    .transform((grants) => [...new Set(grants)]),
  accessTokenLifespan: Lifespan,
  refreshTokenLifespan: Lifespan,
  ...readVersion,
})
export type ClientInput = z.output<typeof ClientInput>

/** Proofs without keys; those have a call of their own. */
export const AuthMethodInput = z.strictObject({
  clientId: ClientId,
  authMethod: z.enum(['client_secret_basic', 'client_secret_post', 'none'], 'errorFormat'),
})
export type AuthMethodInput = z.output<typeof AuthMethodInput>

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
