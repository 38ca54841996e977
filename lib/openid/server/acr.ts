import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import { satisfies } from '@/lib/access/authentication-schemas/factors'
import { authenticationSchemas } from '@/lib/access/authentication-schemas/service'
import type { CtxSession } from '@/lib/base/context/ctx'
import { requestOf } from './request'

const { Check } = interactionPolicy

export type AskedAcr = {
  /** Codes of schemas, best first. */
  codes: string[]
  /** The request fails without one of them. */
  essential: boolean
}

export type Asking = { acr_values?: unknown; claims?: unknown }

const strings = (value: unknown) => (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string')

/** Returns which schemas a request asks for: by the claims parameter, else by acr_values, which is only a wish. */
export function askedAcr({ acr_values: values, claims }: Asking): AskedAcr {
  const acr = typeof claims === 'string' ? JSON.parse(claims)?.id_token?.acr : undefined
  const codes = strings(acr?.values ?? acr?.value)
  if (codes.length > 0) return { codes, essential: acr.essential === true }
  return { codes: typeof values === 'string' ? values.split(' ').filter(Boolean) : [], essential: false }
}

/** Returns whether one of these is the code of an active schema. */
export async function isOffered({ codes }: AskedAcr): Promise<boolean> {
  const schemas = await authenticationSchemas()
  return codes.some((code) => schemas.some((schema) => schema.code === code))
}

/**
 * Returns the first of the requested schemas that the factors of the session satisfy now, else the schema that the
 * session was made with, if they still satisfy it.
 */
async function acrOf(session: CtxSession | null, { codes }: AskedAcr): Promise<string | undefined> {
  if (!session?.proven?.length) return undefined
  const { proven, schema } = session
  const schemas = await authenticationSchemas()
  return [...codes, schema].find((code) => schemas.some((one) => one.code === code && satisfies(proven, one)))
}

/** Returns whether the session has what the request requires. */
export const isMet = async (session: CtxSession | null, asked: AskedAcr): Promise<boolean> =>
  !asked.essential || asked.codes.includes((await acrOf(session, asked)) ?? '')

const methods: Record<string, string[]> = { credentials: ['pwd'], email_code: ['otp'], sms_code: ['otp', 'sms'] }

/** Returns the factors of a session as RFC 8176 names them; undefined for a session without stored factors. */
export function amrOf(proven: readonly string[] = []): string[] | undefined {
  const words = new Set(proven.flatMap((flow) => methods[flow] ?? []))
  // what a provider asked for is not known, so its proof is no factor of ours
  if (proven.filter((flow) => methods[flow]).length > 1) words.add('mfa')
  return words.size > 0 ? [...words] : undefined
}

/** Returns every order in which these flows could have been completed. */
const orders = (flows: readonly string[]): string[][] => [
  [],
  ...flows.flatMap((flow) => orders(flows.filter((other) => other !== flow)).map((rest) => [flow, ...rest])),
]

/**
 * Returns whether a session with these factors satisfies the active schema of this code now. Records of the previous
 * version do not contain the factors: then every combination that their `amr` could mean must satisfy it.
 */
export async function isStillMet(
  code: string,
  { proven, amr }: { proven: readonly string[] | undefined; amr: unknown },
): Promise<boolean> {
  const schema = (await authenticationSchemas()).find((one) => one.code === code)
  if (!schema) return false
  if (proven) return satisfies(proven, schema)
  const possible = orders(Object.keys(methods)).filter((each) => each.length > 0 && `${amrOf(each)}` === `${amr}`)
  return possible.length > 0 && possible.every((each) => satisfies(each, schema))
}

/**
 * Stores in the session of the provider how it was made, and asks for another sign-in where the request requires one.
 */
export const acrCheck = new Check('acr', 'the person must sign in otherwise', 'login_required', async (ctx) => {
  const { oidc } = ctx as KoaContextWithOIDC
  const { session } = await requestOf(ctx.req).ctx()
  const asked = askedAcr(oidc.params as Asking)
  const [acr, amr] = [await acrOf(session, asked), amrOf(session?.proven)]
  const known = oidc.session
  if (known && known.acr !== acr) known.acr = acr
  if (known && known.amr?.join() !== amr?.join()) known.amr = amr
  return (await isMet(session, asked)) ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT
})

/**
 * Reduces the claims parameter of a request to what concerns the sign-in: which data a client receives depends on its
 * scopes only.
 */
export function restrictClaims(ctx: KoaContextWithOIDC, claims: { id_token?: Record<string, unknown> }): void {
  const kept = Object.entries(claims.id_token ?? {}).filter(([name]) => ['acr', 'auth_time', 'sub'].includes(name))
  Object.assign(ctx.oidc.params as object, { claims: JSON.stringify({ id_token: Object.fromEntries(kept) }) })
}
