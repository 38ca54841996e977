import type { Ctx } from '../ctx'
import { ownPath } from './after-sign-in'

const cookie = 'onward'

/** Remembers in the browser where somebody who must get in first is led in the end, however they get in. */
export const keepOnward = (ctx: Pick<Ctx, 'cookies'>, path: string, maxAge: number) =>
  ctx.cookies.set(cookie, path, { maxAge })

/** Where that is: a path of ours, or null. */
export const onward = (ctx: Pick<Ctx, 'cookies'>): string | null => ownPath(ctx.cookies.get(cookie))

/** They have got there, or have given up; without `path` they are gone, wherever they were going. */
export function dropOnward(ctx: Pick<Ctx, 'cookies'>, path?: string) {
  const kept = onward(ctx)
  if (kept && (path === undefined || kept === path)) ctx.cookies.set(cookie, null)
}
