import type { Ctx, CtxService, CtxUser } from './ctx'
import { AppError } from './errors'
import type { Access, Method } from './http/contract'

type SignedIn = Ctx & { user: CtxUser; session: NonNullable<Ctx['session']>; service: null }
/** Somebody known: a person, or the service account of an application. */
type Known = SignedIn | (Ctx & { user: null; session: null; service: CtxService })

/** Narrows to a signed-in context. Throws 401, and 403 for a service account: what is meant for people is not for it. */
export function requireUser(ctx: Ctx): asserts ctx is SignedIn {
  if (ctx.service) throw new AppError(403)
  if (!ctx.user || !ctx.session) throw new AppError(401)
}

/** Who calls, if anybody: both kinds hold methods. */
export const callerOf = ({ user, session, service }: Ctx): CtxUser | CtxService | null =>
  service ?? (session ? user : null)

/** Whether the caller holds a method: nobody gives one that they lack. A systemic one may follow from another. */
export function holdsMethod(ctx: Ctx, { id, code, kind }: { id: string; code: string; kind: string }): boolean {
  const caller = callerOf(ctx)
  return Boolean(kind === 'systemic' ? caller?.methods.has(code) : caller?.methodIds.has(id))
}

/** Throws 401 for nobody, 403 without the systemic method. */
export function requireMethod(ctx: Ctx, method: string): asserts ctx is Known {
  requireAnyMethod(ctx, [method])
}

/** Throws 401 for nobody, 403 without any of the systemic methods. */
export function requireAnyMethod(ctx: Ctx, methods: readonly string[]): asserts ctx is Known {
  const caller = callerOf(ctx)
  if (!caller) throw new AppError(401)
  if (!methods.some((method) => caller.methods.has(method))) throw new AppError(403)
}

/** Checks what a contract asks for; an area's GET needs `<area>.read`, everything else `<area>.write`. */
export function requireAccess(ctx: Ctx, access: Access, method: Method) {
  if (access === 'public') return
  if (access === 'user') return requireUser(ctx)
  if ('method' in access) return requireMethod(ctx, access.method)
  const areas = 'areas' in access ? access.areas : [access.area]
  const level = method === 'GET' ? 'read' : 'write'
  requireAnyMethod(
    ctx,
    areas.map((area) => `${area}.${level}`),
  )
}
