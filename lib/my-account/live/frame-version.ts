import { emptyRequiredFields } from '@/lib/accounts/users/service'
import { menuPages, serviceItems } from '@/lib/applications/menu/service'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx, CtxUser } from '@/lib/base/context/ctx'
import { digest } from '@/lib/base/crypto/encryption'
import { type HeaderWarning, headerWarningsOf } from '@/lib/base/frame/header-warnings'
import { menuBadges } from '@/lib/base/frame/menu'
import { projectInfo } from '@/lib/site/project-info/service'

/** What the frame of a page is made of, besides the person. */
type Shown = {
  services: Awaited<ReturnType<typeof serviceItems>>
  emptyFields: Awaited<ReturnType<typeof emptyRequiredFields>>
  project: Awaited<ReturnType<typeof projectInfo>>
  header: readonly HeaderWarning[]
  /** What waits in the pages of the menus. */
  badges: ReadonlyMap<string, number>
}

/**
 * Returns a mark that differs if something differs that the frame of the person's pages shows: language, names,
 * picture, rights and so menus, services, alerts, the look of the domain. What people do in one window alone, such as
 * folding the menu, isn't part of it.
 */
export function frameVersion(
  locale: string,
  user: CtxUser,
  { services, emptyFields, project, header, badges }: Shown,
): string {
  const { id, login, firstName, lastName, picture, temporary, methods, methodIds } = user
  const { code, styleCode, uiSettings, options } = project
  const person = { id, login, firstName, lastName, picture, temporary }
  const rights = [[...methods].sort(), [...methodIds].sort()]
  const fields = emptyFields.map((field) => [field.code, field.title, field.titleEn])
  return digest(
    JSON.stringify([
      ...[locale, person, rights, services, fields, code, styleCode, uiSettings, options[locale], header],
      [...badges].sort(),
    ]),
  )
}

/** Returns the mark of the pages that the signed-in person would be sent now. Throws 401. */
export async function currentFrameVersion(ctx: Ctx): Promise<string> {
  requireUser(ctx)
  const [services, emptyFields, project, header, badges] = await Promise.all([
    serviceItems(ctx.user, ctx.domain),
    emptyRequiredFields(ctx.user.id),
    projectInfo(ctx.domain),
    headerWarningsOf(ctx.user),
    menuPages(ctx.user.methods).then((pages) => menuBadges(ctx.user as CtxUser, pages)),
  ])
  return frameVersion(ctx.locale, ctx.user, { services, emptyFields, project, header, badges })
}
