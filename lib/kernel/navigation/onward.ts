import type { Ctx } from '../ctx'
import { ownPath } from './after-sign-in'

const cookie = 'onward'

/** Remembers in the browser where somebody who must get in first is led in the end, however they get in. */
export const keepOnward = (ctx: Pick<Ctx, 'cookies'>, path: string, maxAge: number) =>
  ctx.cookies.set(cookie, path, { maxAge })

/** Where that is: a path of ours, or null. */
export const onward = (ctx: Pick<Ctx, 'cookies'>): string | null => ownPath(ctx.cookies.get(cookie))

/** They have got there, or have given up. */
export function dropOnward(ctx: Pick<Ctx, 'cookies'>, path: string) {
  if (onward(ctx) === path) ctx.cookies.set(cookie, null)
}
