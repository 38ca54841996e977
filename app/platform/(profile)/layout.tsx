import { Settings } from 'lucide-react'
import { NextIntlClientProvider } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { Bell } from '@/components/notifications/bell'
import { AppShell } from '@/components/shell/app-shell'
import { BottomBar } from '@/components/shell/bottom-bar'
import { menuWords } from '@/components/shell/menu-classes'
import { sideMenu } from '@/components/shell/menu-view'
import { NavLink } from '@/components/shell/nav-link'
import { Preferences } from '@/components/shell/preferences'
import { BackToService, ServiceSwitch } from '@/components/shell/service-switch'
import { menuEntryClasses, SideMenu } from '@/components/shell/side-menu'
import { StatusBanners } from '@/components/shell/status-banners'
import { barScreens } from '@/lib/base/frame/menu'
import { localName } from '@/lib/base/i18n/local-name'
import { pickMessages } from '@/lib/base/i18n/messages'
import { wordsOf } from '@/lib/base/i18n/words'
import { pathOfScreen, screens } from '@/lib/base/navigation/screens'
import { pageContext } from '@/lib/request/page'
import { type Shell, shellOf } from '@/lib/request/shell'
import { paletteGroups } from '../_ui/palette-groups'
import { ProfileAlerts } from './_ui/profile-alerts'

const originOf = (address: string) => (URL.canParse(address) ? new URL(address).origin : null)

/** A link back to where the person came from or to their only service; with several services, a link to their list. */
function waysBack({ only, several, services, ref }: Shell, locale: string) {
  const href = ref ?? only?.serviceUrl
  const service =
    href === undefined ? undefined : services.find(({ serviceUrl }) => originOf(serviceUrl) === originOf(href))
  const back = ref ? (originOf(ref) ? service : undefined) : only
  return (
    <>
      {href ? <BackToService href={href} title={back ? localName(back, locale) : null} /> : null}
      {several ? <ServiceSwitch services={services} locale={locale} /> : null}
    </>
  )
}

/** The profile area. Its pages check access themselves and redirect; then the layout renders nothing. */
export default async function ProfileLayout({ children }: { children: ReactNode }) {
  const { ctx, accountTimeZone, chosenTimeZone } = await pageContext()
  if (!ctx.user || !ctx.session) return children
  const { locale } = ctx
  const [shell, t, words, messages] = await Promise.all([
    shellOf(ctx, ctx.user),
    getTranslations('shell'),
    getTranslations().then(wordsOf),
    getMessages(),
  ])
  const preferences = { ...shell.preferences, timeZone: chosenTimeZone }
  const sections = sideMenu(shell.menu, 'Profile', locale)
  const links = sections.flatMap((section) => section.links)
  const inBar = barScreens(screens.filter(({ name }) => links.some((link) => link.name === name)))
  const bar = links.filter(({ name }) => inBar.some((screen) => screen.name === name))
  const foldedSections = sections
    .map((section) => ({ ...section, links: section.links.filter((link) => !bar.includes(link)) }))
    .filter((section) => section.links.length > 0)
  const waitingCount = foldedSections
    .flatMap((section) => section.links)
    .reduce((sum, { badge }) => sum + (badge ?? 0), 0)
  const administration = shell.menu.some(({ meta }) => meta.layout === 'Platform')
    ? pathOfScreen('Platform')
    : undefined
  const toAdministration = administration ? (
    <NavLink href={administration} data-tip={t('administration')} className={menuEntryClasses}>
      <Settings aria-hidden="true" strokeWidth={1.75} className="size-5 shrink-0" />
      <span className={menuWords}>{t('administration')}</span>
    </NavLink>
  ) : null
  return (
    <NextIntlClientProvider
      messages={pickMessages(messages, ['common', 'errors', 'failure', 'notices', 'shell', 'snackbar', 'ui'])}
    >
      <AppShell
        session={ctx.session.id}
        mark={shell.mark}
        timeZone={accountTimeZone}
        brand={shell.options?.projectName ?? ''}
        markCode={shell.project.code}
        logo={shell.project.logo}
        person={shell.person}
        sections={sections}
        palette={paletteGroups(shell, locale, { words, user: ctx.user })}
        preferences={preferences}
        nav={shell.nav}
        bell={shell.notices ? <Bell {...shell.notices} /> : null}
        headerVisible={shell.project.uiSettings.headerVisible}
        start={waysBack(shell, locale)}
        brief={shell.only !== undefined || shell.ref !== null}
        alerts={
          <>
            <StatusBanners notices={shell.header} user={ctx.user} />
            <ProfileAlerts shell={shell} locale={locale} temporary={ctx.user.temporary} />
          </>
        }
        foot={toAdministration}
        bottomBar={
          <BottomBar links={bar} waiting={waitingCount}>
            <div className="grid gap-5">
              {foldedSections.length > 0 || toAdministration ? (
                <SideMenu sections={foldedSections} label={t('mainMenu')}>
                  {toAdministration}
                </SideMenu>
              ) : null}
              <div className="px-2.5">
                <Preferences {...preferences} />
              </div>
            </div>
          </BottomBar>
        }
      >
        {children}
      </AppShell>
    </NextIntlClientProvider>
  )
}
