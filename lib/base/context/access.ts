import type { SystemicMethod } from '../access/access-methods'
import type { Access, HttpMethod } from '../contracts/contract'
import { AppError } from '../runtime/errors'
import type { Ctx, CtxService, CtxUser } from './ctx'

type SignedIn = Ctx & { user: CtxUser; session: NonNullable<Ctx['session']>; service: null }
/** An authenticated caller: a person, or the service account of an application. */
type CallerCtx = SignedIn | (Ctx & { user: null; session: null; service: CtxService })

/**
 * Requires a signed-in person. Throws 401 when nobody is signed in, and 403 for a service account, which may not make
 * calls for people.
 */
export function requireUser(ctx: Ctx): asserts ctx is SignedIn {
  if (ctx.service) throw new AppError(403)
  if (!ctx.user || !ctx.session) throw new AppError(401)
}

/** Returns the caller, a person or a service account; null without one. */
const callerOf = ({ user, session, service }: Ctx): CtxUser | CtxService | null => service ?? (session ? user : null)

/** Returns a unique id of the caller: the id of the person, or the client of the service account. */
export const callerId = ({ user, service }: Ctx): string =>
  service ? `client ${service.clientId}` : (user?.id ?? 'nobody')

/**
 * Returns the id that the history names as the changer: that of the person, or of the application of a service account.
 */
export const changerOf = ({ user, service }: Partial<Pick<Ctx, 'user' | 'service'>>): string | null =>
  service?.applicationId ?? user?.id ?? null

/**
 * A method as it is stored. The code of a systemic method is unique; that of another one only within its application.
 */
export type Method = { id: string; code: string; kind: string }
type Holder = Partial<Pick<CtxUser, 'methods' | 'methodIds'>>

/**
 * Returns whether the caller of a context, or a person, holds a method: a systemic one by code, one of an application
 * by id, a stored one by code or id according to its kind. Nobody can give a method without holding it.
 */
export function holdsMethod(ctxOrHolder: Ctx | Holder, method: SystemicMethod | Method | Pick<Method, 'id'>): boolean {
  const holder: Holder | null = 'cookies' in ctxOrHolder ? callerOf(ctxOrHolder) : ctxOrHolder
  if (typeof method === 'string') return Boolean(holder?.methods?.has(method))
  if ('kind' in method && method.kind === 'systemic') return Boolean(holder?.methods?.has(method.code))
  return Boolean(holder?.methodIds?.has(method.id))
}

/** Returns the caller's methods: the codes of systemic ones, and the ids of all. Without a caller both are empty. */
export function methodsHeld(ctx: Ctx): { codes: ReadonlySet<string>; ids: ReadonlySet<string> } {
  const caller = callerOf(ctx)
  return { codes: caller?.methods ?? new Set(), ids: caller?.methodIds ?? new Set() }
}

/** Requires a systemic method. Throws 401 without a caller, 403 without the method. */
export function requireMethod(ctx: Ctx, method: SystemicMethod): asserts ctx is CallerCtx {
  requireAnyMethod(ctx, [method])
}

/** Requires one of the systemic methods. Throws 401 without a caller, 403 without any of them. */
export function requireAnyMethod(ctx: Ctx, methods: readonly SystemicMethod[]): asserts ctx is CallerCtx {
  const caller = callerOf(ctx)
  if (!caller) throw new AppError(401)
  if (!methods.some((method) => caller.methods.has(method))) throw new AppError(403)
}

/**
 * Checks the access that a contract names: a GET of an area needs `<area>.read`, every other HTTP method
 * `<area>.write`. Throws 401 and 403.
 */
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
