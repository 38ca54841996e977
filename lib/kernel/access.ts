import type { Ctx, CtxUser } from './ctx'
import { AppError } from './errors'
import type { Access, Method } from './http/contract'

type SignedIn = Ctx & { user: CtxUser; session: NonNullable<Ctx['session']> }

/** Narrows to a signed-in context. Throws 401. */
export function requireUser(ctx: Ctx): asserts ctx is SignedIn {
  if (!ctx.user || !ctx.session) throw new AppError(401)
}

/** Throws 401 without a user, 403 without the systemic method. */
export function requireMethod(ctx: Ctx, method: string): asserts ctx is SignedIn {
  requireUser(ctx)
  if (!ctx.user.methods.has(method)) throw new AppError(403)
}

/** Throws 401 without a user, 403 without any of the systemic methods. */
export function requireAnyMethod(ctx: Ctx, methods: readonly string[]): asserts ctx is SignedIn {
  requireUser(ctx)
  const held = ctx.user.methods
  if (!methods.some((method) => held.has(method))) throw new AppError(403)
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
