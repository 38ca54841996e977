import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import { ordersOf, satisfies } from '@/lib/access/authentication-schemas/factors'
import { amrOfFlow } from '@/lib/access/authentication-schemas/flows'
import { requestableSchemas } from '@/lib/access/authentication-schemas/service'
import type { CtxSession } from '@/lib/base/context/ctx'
import { requestOf } from './request'

const { Check } = interactionPolicy

export type RequestedAcr = {
  /** Codes of schemas, best first. */
  codes: string[]
  /** Whether the request fails unless one of them is satisfied. */
  essential: boolean
}

export type AcrParams = { acr_values?: unknown; claims?: unknown }

const strings = (value: unknown) => (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string')

/**
 * Returns the schemas that a request asks for: by the claims parameter, else by acr_values, which is never essential.
 */
export function requestedAcr({ acr_values: values, claims }: AcrParams): RequestedAcr {
  const acr = typeof claims === 'string' ? JSON.parse(claims)?.id_token?.acr : undefined
  const codes = strings(acr?.values ?? acr?.value)
  if (codes.length > 0) return { codes, essential: acr.essential === true }
  return { codes: typeof values === 'string' ? values.split(' ').filter(Boolean) : [], essential: false }
}

/** Returns whether one of these is the code of an active schema. */
export async function isOffered({ codes }: RequestedAcr): Promise<boolean> {
  const schemas = await requestableSchemas()
  return codes.some((code) => schemas.some((schema) => schema.code === code))
}

/**
 * Returns the first of the requested schemas that the factors of the session satisfy now, else the schema that the
 * session was made with, if they still satisfy it.
 */
async function acrOf(session: CtxSession | null, { codes }: RequestedAcr): Promise<string | undefined> {
  if (!session?.proven?.length) return undefined
  const { proven, schema } = session
  const schemas = await requestableSchemas()
  return [...codes, schema].find((code) =>
    schemas.some((candidate) => candidate.code === code && satisfies(proven, candidate)),
  )
}

/** Returns true unless the schemas are essential and the session satisfies none of them. */
export const isMet = async (session: CtxSession | null, requested: RequestedAcr): Promise<boolean> =>
  !requested.essential || requested.codes.includes((await acrOf(session, requested)) ?? '')

/**
 * Returns the factors of a session as RFC 8176 names them; undefined for a session without stored factors. Nobody knows
 * what an identity provider asked for, so its proof is no factor of ours.
 */
export function amrOf(proven: readonly string[] = []): string[] | undefined {
  const factors = proven.map(amrOfFlow).filter(({ length }) => length > 0)
  const amr = new Set(factors.flat())
  if (factors.length > 1) amr.add('mfa')
  return amr.size > 0 ? [...amr] : undefined
}

/**
 * Returns whether a session with these factors satisfies the active schema of this code now. Records of the previous
 * version do not contain the factors: then every combination that their `amr` could mean must satisfy it.
 */
export async function isStillMet(
  code: string,
  { proven, amr }: { proven: readonly string[] | undefined; amr: unknown },
): Promise<boolean> {
  const schema = (await requestableSchemas()).find((candidate) => candidate.code === code)
  if (!schema) return false
  if (proven) return satisfies(proven, schema)
  // that version knew no other flows
  const possibleOrders = ordersOf(['credentials', 'email_code', 'sms_code']).filter(
    (order) => order.length > 0 && `${amrOf(order)}` === `${amr}`,
  )
  return possibleOrders.length > 0 && possibleOrders.every((order) => satisfies(order, schema))
}

/**
 * Stores `acr` and `amr` in the session of the OpenID Provider, and asks for another sign-in if the request requires
 * one.
 */
export const acrCheck = new Check('acr', 'the person must sign in otherwise', 'login_required', async (ctx) => {
  const { oidc } = ctx as KoaContextWithOIDC
  const { session } = await requestOf(ctx.req).ctx()
  const requested = requestedAcr(oidc.params as AcrParams)
  const [acr, amr] = [await acrOf(session, requested), amrOf(session?.proven)]
  const oidcSession = oidc.session
  if (oidcSession && oidcSession.acr !== acr) oidcSession.acr = acr
  if (oidcSession && oidcSession.amr?.join() !== amr?.join()) oidcSession.amr = amr
  return (await isMet(session, requested)) ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT
})

/**
 * Reduces the claims parameter of a request to what concerns the sign-in: which data a client receives depends on its
 * scopes only.
 */
export function restrictClaims(ctx: KoaContextWithOIDC, claims: { id_token?: Record<string, unknown> }): void {
  const entries = Object.entries(claims.id_token ?? {}).filter(([name]) => ['acr', 'auth_time', 'sub'].includes(name))
  Object.assign(ctx.oidc.params as object, { claims: JSON.stringify({ id_token: Object.fromEntries(entries) }) })
}
