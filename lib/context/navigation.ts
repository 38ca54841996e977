import { forbidden, redirect } from 'next/navigation'
import type { Ctx, CtxUser } from '@/lib/kernel/ctx'
import { countedServices } from '@/lib/kernel/navigation/after-sign-in'
import { isOpenTo, redirectFor, screenAt } from '@/lib/kernel/navigation/screens'
import { userServices } from '@/lib/platform/menu/service'

/** Applies the navigation rules to the page being rendered: leads away, or gives the context back with its user. */
export async function followRules(ctx: Ctx, path: string, search = ''): Promise<void> {
  const to = await redirectFor({
    path,
    search,
    signedIn: ctx.user !== null,
    hasServices: async () => ctx.user !== null && countedServices(await userServices(ctx.user, ctx.domain)).length > 0,
  })
  if (to) redirect(to)
}

/**
 * For a protected page: the signed-in user, or away to sign in and back to `path` afterwards. Without the method that
 * the page's area asks for: 403, with words.
 */
export async function pageUser(ctx: Ctx, path: string, search = ''): Promise<CtxUser> {
  await followRules(ctx, path, search)
  if (!ctx.user) throw new Error(`the page ${path} is not protected`)
  const screen = screenAt(path)
  if (screen && !isOpenTo(screen, ctx.user.methods)) forbidden()
  return ctx.user
}
