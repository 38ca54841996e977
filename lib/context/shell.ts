import type { Ctx, CtxUser } from '@/lib/kernel/ctx'
import { isTextLocale } from '@/lib/kernel/i18n/messages'
import { emptyRequiredFields } from '@/lib/people/users/service'
import { serviceItems, userMenu } from '@/lib/platform/menu/service'
import { projectInfo } from '@/lib/platform/project-info/service'
import { platformSettings } from '@/lib/platform/settings/service'
import { backLink } from './back-link'
import { initialsOf } from './initials'
import { pageTheme } from './theme'

/** What the layouts of somebody signed in are made of. */
export async function shellOf(ctx: Ctx, user: CtxUser) {
  const [project, settings, { menu }, items, emptyFields, theme] = await Promise.all([
    projectInfo(ctx.domain),
    platformSettings(),
    userMenu(ctx),
    serviceItems(user, ctx.domain),
    emptyRequiredFields(user.id),
    pageTheme(),
  ])
  const open = items.flatMap(({ children, ...service }) => [service, ...children]).filter(({ disabled }) => !disabled)
  // as after signing in, documentation is no service of its own (portal.md section 2)
  const counted = open.filter(({ applicationKey }) => applicationKey !== 'documentation')
  const ref = counted.length === 1 ? ctx.cookies.get('backLink') : undefined
  const limited = emptyFields.length > 0 || counted.length === 0
  return {
    project,
    options: project.options[ctx.locale],
    menu,
    services: open,
    /** The one service, when there is exactly one. */
    only: counted.length === 1 ? counted[0] : undefined,
    several: counted.length > 1,
    none: counted.length === 0,
    /** Where the person came from: checked again, since applications come and go. */
    ref: ref ? await backLink(ref) : null,
    emptyFields,
    person: {
      initials: initialsOf(user),
      name: [user.firstName, user.lastName].filter(Boolean).join(' ') || user.login,
      // to what needs doing first, when something does
      href: limited ? '/platform/profile' : '/platform/profile/personal',
    },
    preferences: {
      theme: theme ?? ('system' as const),
      languages: project.locales.filter(({ code }) => isTextLocale(code)).map(({ code, name }) => ({ code, name })),
      locale: ctx.locale,
    },
    nav: {
      mini: settings.editNavMini ? (user.navMini ?? settings.uiNavMini) : settings.uiNavMini,
      editable: settings.editNavMini,
      tips: settings.navMiniTitle,
    },
  }
}
export type Shell = Awaited<ReturnType<typeof shellOf>>
