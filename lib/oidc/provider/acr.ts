import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import type { CtxSession } from '@/lib/kernel/ctx'
import { satisfies } from '@/lib/platform/authentication-schemas/factors'
import { authenticationSchemas } from '@/lib/platform/authentication-schemas/service'
import { requestOf } from './request'

const { Check } = interactionPolicy

export type AskedAcr = {
  /** Codes of schemas, best first. */
  codes: string[]
  /** Without one of them there is no answer. */
  essential: boolean
}

export type Asking = { acr_values?: unknown; claims?: unknown }

const strings = (value: unknown) => (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string')

/** What a request asks of the way to sign in: by the claims parameter, else by acr_values, which is a wish. */
export function askedAcr({ acr_values: values, claims }: Asking): AskedAcr {
  const acr = typeof claims === 'string' ? JSON.parse(claims)?.id_token?.acr : undefined
  const codes = strings(acr?.values ?? acr?.value)
  if (codes.length > 0) return { codes, essential: acr.essential === true }
  return { codes: typeof values === 'string' ? values.split(' ').filter(Boolean) : [], essential: false }
}

/** Whether any of these could be met: it is the code of an active schema. */
export async function isOffered({ codes }: AskedAcr): Promise<boolean> {
  const schemas = await authenticationSchemas()
  return codes.some((code) => schemas.some((schema) => schema.code === code))
}

/**
 * The first of the asked schemas that the session's factors satisfy as the schemas are now, else the one by which it
 * was made, if they still do.
 */
async function acrOf(session: CtxSession | null, { codes }: AskedAcr): Promise<string | undefined> {
  if (!session?.proven?.length) return undefined
  const { proven, schema } = session
  const schemas = await authenticationSchemas()
  return [...codes, schema].find((code) => schemas.some((one) => one.code === code && satisfies(proven, one)))
}

/** Whether the session is what the request can't do without. */
export const isMet = async (session: CtxSession | null, asked: AskedAcr): Promise<boolean> =>
  !asked.essential || asked.codes.includes((await acrOf(session, asked)) ?? '')

const methods: Record<string, string[]> = { credentials: ['pwd'], email_code: ['otp'], sms_code: ['otp', 'sms'] }

/** The factors of a session in the words of RFC 8176; undefined for one that doesn't know. */
export function amrOf(proven: readonly string[] = []): string[] | undefined {
  const words = new Set(proven.flatMap((flow) => methods[flow] ?? []))
  if (proven.length > 1) words.add('mfa')
  return words.size > 0 ? [...words] : undefined
}

/** Every order in which these flows could have been proven. */
const orders = (flows: readonly string[]): string[][] => [
  [],
  ...flows.flatMap((flow) => orders(flows.filter((other) => other !== flow)).map((rest) => [flow, ...rest])),
]

/**
 * Whether a session that was proven so satisfies the active schema of this code now. A record of a version before
 * doesn't know what was proven: then whatever its `amr` could mean must do.
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

/** Tells the provider how the session was made, and asks to sign in otherwise where the request can't do without. */
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
 * Of the claims parameter only what is asked about signing in counts; what a client is told of the person is its
 * scopes' matter. Changes the request.
 */
export function keepOfClaims(ctx: KoaContextWithOIDC, claims: { id_token?: Record<string, unknown> }): void {
  const kept = Object.entries(claims.id_token ?? {}).filter(([name]) => ['acr', 'auth_time', 'sub'].includes(name))
  Object.assign(ctx.oidc.params as object, { claims: JSON.stringify({ id_token: Object.fromEntries(kept) }) })
}
