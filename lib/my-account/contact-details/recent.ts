import type { Ctx } from '@/lib/base/context/ctx'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import { requirePresentPassword } from '@/lib/sign-in/attempts/present-password'
import { hasOwnPassword } from '@/lib/sign-in/passwords/own-password'
import { signedInAt } from '@/lib/sign-in/sessions/service'

/** The milliseconds after signing in during which the session is enough to change how the person signs in. */
const freshFor = 15 * 60_000

/** Returns whether the person signed in within the last 15 minutes (docs/rules/profile.md#contacts). */
export async function isFreshSession(ctx: Ctx): Promise<boolean> {
  const signedInSince = ctx.session ? await signedInAt(ctx.session.id) : null
  return signedInSince !== null && ctx.now().getTime() - signedInSince.getTime() <= freshFor
}

/**
 * Requires the present password of the signed-in person, unless they signed in within the last 15 minutes. Throws 400
 * errorPasswordNeeded or errorActual for the field `password`, 403 signInAgain for an account without one, 429.
 */
export async function requireFreshProof(ctx: Ctx, password: string | undefined): Promise<void> {
  if (await isFreshSession(ctx)) return
  if (!(await hasOwnPassword(ctx))) throw new AppError(403, 'signInAgain')
  if (!password) throw fieldError('password', 'errorPasswordNeeded')
  await requirePresentPassword(ctx, 'password', password)
}
