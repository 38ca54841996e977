import { forbidden, redirect } from 'next/navigation'
import { userServices } from '@/lib/applications/menu/service'
import type { Ctx, CtxUser } from '@/lib/base/context/ctx'
import { countedServices } from '@/lib/base/navigation/after-sign-in'
import { agreementsAddress, isOpenTo, redirectFor, screenAt } from '@/lib/base/navigation/screens'

/** Applies the navigation rules to the page that is being rendered: redirects, or returns if the page may be shown. */
export async function followRules(ctx: Ctx, path: string, search = ''): Promise<void> {
  const target = await redirectFor({
    path,
    search,
    signedIn: ctx.user !== null,
    hasServices: async () => ctx.user !== null && countedServices(await userServices(ctx.user, ctx.domain)).length > 0,
  })
  if (target) redirect(target)
}

/**
 * Returns the signed-in user of a protected page. Redirects to the sign-in page, which leads back to `path`, if nobody
 * is signed in, and to agreements that the person must accept first. Answers 403 without the method that the page's
 * area needs.
 */
export async function pageUser(ctx: Ctx, path: string, search = ''): Promise<CtxUser> {
  await followRules(ctx, path, search)
  if (ctx.terms?.length) redirect(agreementsAddress(path + search))
  if (!ctx.user) throw new Error(`the page ${path} is not protected`)
  const screen = screenAt(path)
  if (screen && !isOpenTo(screen, ctx.user.methods)) forbidden()
  return ctx.user
}
