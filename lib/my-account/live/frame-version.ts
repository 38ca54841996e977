import { emptyRequiredFields } from '@/lib/accounts/users/service'
import { menuPages, serviceItems } from '@/lib/applications/menu/service'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx, CtxUser } from '@/lib/base/context/ctx'
import { digest } from '@/lib/base/crypto/encryption'
import { type HeaderWarning, headerWarningsOf } from '@/lib/base/frame/header-warnings'
import { menuBadges } from '@/lib/base/frame/menu'
import { projectInfo } from '@/lib/site/project-info/service'

/** The data of a page's frame, besides the person. */
type FrameData = {
  services: Awaited<ReturnType<typeof serviceItems>>
  emptyFields: Awaited<ReturnType<typeof emptyRequiredFields>>
  project: Awaited<ReturnType<typeof projectInfo>>
  header: readonly HeaderWarning[]
  /** The counters in the menus. */
  badges: ReadonlyMap<string, number>
}

/**
 * Returns a hash of everything that the frame of the person's pages shows: language, names, picture, rights and
 * therefore menus, services, alerts, the look of the domain. State of one window, such as a folded menu, isn't part of
 * it.
 */
export function frameVersion(
  locale: string,
  user: CtxUser,
  { services, emptyFields, project, header, badges }: FrameData,
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

/** Returns the frame version of the pages that the signed-in person would get now. Throws 401. */
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
