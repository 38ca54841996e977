import type { Ctx } from '../context/ctx'
import { ownPath } from './after-sign-in'

const cookie = 'onward'

/** Stores in a cookie where a person finally goes who must sign in or register first. */
export const keepOnward = (ctx: Pick<Ctx, 'cookies'>, path: string, maxAge: number) =>
  ctx.cookies.set(cookie, path, { maxAge })

/** Returns that path if it is a path of the platform, else null. */
export const onward = (ctx: Pick<Ctx, 'cookies'>): string | null => ownPath(ctx.cookies.get(cookie))

/** Removes it, when the person has arrived or given up: only this `path`, or any without one. */
export function dropOnward(ctx: Pick<Ctx, 'cookies'>, path?: string) {
  const kept = onward(ctx)
  if (kept && (path === undefined || kept === path)) ctx.cookies.set(cookie, null)
}
