import type { SystemicMethod } from './access-methods'
import type { Ctx, CtxService, CtxUser } from './ctx'
import { AppError } from './errors'
import type { Access, Method as HttpMethod } from './http/contract'

type SignedIn = Ctx & { user: CtxUser; session: NonNullable<Ctx['session']>; service: null }
/** Somebody known: a person, or the service account of an application. */
type Known = SignedIn | (Ctx & { user: null; session: null; service: CtxService })

/** Narrows to a signed-in context. Throws 401, and 403 for a service account: what is meant for people is not for it. */
export function requireUser(ctx: Ctx): asserts ctx is SignedIn {
  if (ctx.service) throw new AppError(403)
  if (!ctx.user || !ctx.session) throw new AppError(401)
}

/** Who calls, if anybody: both kinds hold methods. */
const callerOf = ({ user, session, service }: Ctx): CtxUser | CtxService | null => service ?? (session ? user : null)

/** By what the caller is told from every other: the person's id, or the client of the service account. */
export const callerId = ({ user, service }: Ctx): string =>
  service ? `client ${service.clientId}` : (user?.id ?? 'nobody')

/** Who is named as the changer: a person by the account's id, a service account by its application's, which differ. */
export const changerOf = ({ user, service }: Partial<Pick<Ctx, 'user' | 'service'>>): string | null =>
  service?.applicationId ?? user?.id ?? null

/** A method as it is stored: systemic ones have a code of their own, others only within their application. */
export type Method = { id: string; code: string; kind: string }
type Holder = Partial<Pick<CtxUser, 'methods' | 'methodIds'>>

/**
 * Whether whoever calls, or this person, holds a method: a systemic one by its code, an application's by its id, any
 * one as it is stored. Nobody gives one that they lack. A systemic one may follow from another.
 */
export function holdsMethod(who: Ctx | Holder, method: SystemicMethod | Method | Pick<Method, 'id'>): boolean {
  const holder: Holder | null = 'cookies' in who ? callerOf(who) : who
  if (typeof method === 'string') return Boolean(holder?.methods?.has(method))
  if ('kind' in method && method.kind === 'systemic') return Boolean(holder?.methods?.has(method.code))
  return Boolean(holder?.methodIds?.has(method.id))
}

/** Throws 401 for nobody, 403 without the systemic method. */
export function requireMethod(ctx: Ctx, method: SystemicMethod): asserts ctx is Known {
  requireAnyMethod(ctx, [method])
}

/** Throws 401 for nobody, 403 without any of the systemic methods. */
export function requireAnyMethod(ctx: Ctx, methods: readonly SystemicMethod[]): asserts ctx is Known {
  const caller = callerOf(ctx)
  if (!caller) throw new AppError(401)
  if (!methods.some((method) => caller.methods.has(method))) throw new AppError(403)
}

/** Checks what a contract asks for; an area's GET needs `<area>.read`, everything else `<area>.write`. */
export function requireAccess(ctx: Ctx, access: Access, method: HttpMethod) {
  if (access === 'public') return
  if (access === 'user') return requireUser(ctx)
  if ('method' in access) return requireMethod(ctx, access.method)
  const areas = 'areas' in access ? access.areas : [access.area]
  const level = method === 'GET' ? 'read' : 'write'
  requireAnyMethod(
    ctx,
    areas.map((area): SystemicMethod => `${area}.${level}`),
  )
}
