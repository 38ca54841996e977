import { pictureAddress } from '@/lib/accounts/pictures/address'
import { initialsOf } from '@/lib/accounts/users/initials'
import { emptyRequiredFields } from '@/lib/accounts/users/service'
import { getMenu, serviceItems } from '@/lib/applications/menu/service'
import type { Ctx, CtxUser } from '@/lib/base/context/ctx'
import { headerWarningsOf } from '@/lib/base/frame/header-warnings'
import { countedServices } from '@/lib/base/navigation/after-sign-in'
import { frameVersion } from '@/lib/my-account/live/frame-version'
import { lastNotices } from '@/lib/news/notifications/service'
import { projectInfo } from '@/lib/site/project-info/service'
import { platformSettings } from '@/lib/site/settings/service'
import { backLink } from './back-link'
import { pageTheme } from './theme'

/** Returns the data for the layouts of a signed-in person. */
export async function shellOf(ctx: Ctx, user: CtxUser) {
  const [project, settings, { menu }, items, emptyFields, theme, lastNotifications, header] = await Promise.all([
    projectInfo(ctx.domain),
    platformSettings(),
    getMenu(ctx),
    serviceItems(user, ctx.domain),
    emptyRequiredFields(user.id),
    pageTheme(),
    lastNotices(ctx),
    headerWarningsOf(user),
  ])
  const openServices = items
    .flatMap(({ children, ...service }) => [service, ...children])
    .filter(({ disabled }) => !disabled)
  const counted = countedServices(openServices.map((service) => ({ ...service, code: service.applicationKey })))
  const ref = ctx.cookies.get('backLink')
  const entries = menu.flatMap(({ children, ...entry }) => [entry, ...children])
  const badges = new Map(entries.flatMap(({ name, badge }) => (badge === null ? [] : [[name, badge] as const])))
  const incomplete = emptyFields.length > 0 || counted.length === 0
  return {
    /** The version by which an open page later knows whether its frame is up to date. */
    mark: frameVersion(ctx.locale, user, { services: items, emptyFields, project, header, badges }),
    /** The warnings in the header. */
    header,
    project,
    options: project.options[ctx.locale],
    menu,
    services: openServices,
    /** The one service, if there is exactly one. */
    only: counted.length === 1 ? counted[0] : undefined,
    several: counted.length > 1,
    none: counted.length === 0,
    /** The address that the person came from. Checked again, as applications may have been removed. */
    ref: ref ? await backLink(ref) : null,
    emptyFields,
    /** The first data of the bell; null where the bell is switched off. */
    notices: project.uiSettings.localNotifies
      ? { unread: lastNotifications.unread, newest: lastNotifications.notices[0]?.id ?? null }
      : null,
    person: {
      initials: initialsOf(user),
      /** The address of their picture. */
      picture: user.picture ? pictureAddress(user.picture) : null,
      name: [user.firstName, user.lastName].filter(Boolean).join(' ') || user.login,
      // leads to the page that lists what is missing, when something is
      href: incomplete ? '/platform/profile' : '/platform/profile/personal',
    },
    preferences: {
      theme: theme ?? ('system' as const),
      languages: project.locales.map(({ code, name }) => ({ code, name })),
      locale: ctx.locale,
    },
    nav: {
      mini: settings.editNavMini ? (user.navMini ?? settings.uiNavMini) : settings.uiNavMini,
      editable: settings.editNavMini,
      titles: settings.navMiniTitle,
    },
  }
}
export type Shell = Awaited<ReturnType<typeof shellOf>>
