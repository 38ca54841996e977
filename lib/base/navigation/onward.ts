import type { Ctx } from '../context/ctx'
import { ownPath } from './after-sign-in'

const cookie = 'onward'

/** Stores in a cookie the path to which a person goes after they have signed in or registered. */
export const keepOnward = (ctx: Pick<Ctx, 'cookies'>, path: string, maxAge: number) =>
  ctx.cookies.set(cookie, path, { maxAge })

/** Returns the stored path if it is a path of the platform, else null. */
export const onward = (ctx: Pick<Ctx, 'cookies'>): string | null => ownPath(ctx.cookies.get(cookie))

/** Removes the stored path when the person has arrived or cancelled; with `path` only if it is this one. */
export function dropOnward(ctx: Pick<Ctx, 'cookies'>, path?: string) {
  const storedPath = onward(ctx)
  if (storedPath && (path === undefined || storedPath === path)) ctx.cookies.set(cookie, null)
}
