import { LayoutGrid, Menu } from 'lucide-react'
import { NextIntlClientProvider } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { Bell } from '@/components/notifications/bell'
import { AppShell } from '@/components/shell/app-shell'
import { menuWords } from '@/components/shell/menu-classes'
import { foldFamilies, sideMenu } from '@/components/shell/menu-view'
import { NavLink } from '@/components/shell/nav-link'
import { Preferences } from '@/components/shell/preferences'
import { ScreenBreadcrumbs } from '@/components/shell/screen-breadcrumbs'
import { Sheet } from '@/components/shell/sheet'
import { menuEntryClasses, SideMenu } from '@/components/shell/side-menu'
import { StatusBanners } from '@/components/shell/status-banners'
import { Alert } from '@/components/ui/alert'
import { pickMessages } from '@/lib/base/i18n/messages'
import { wordsOf } from '@/lib/base/i18n/words'
import { isOpenTo, screens } from '@/lib/base/navigation/screens'
import { pageContext } from '@/lib/request/page'
import { shellOf } from '@/lib/request/shell'
import { paletteGroups } from '../_ui/palette-groups'

/** The layout of the administration, for people who may read one of its areas. Each page checks its own access. */
export default async function AdminLayout({ children }: { children: ReactNode }) {
  const { ctx, accountTimeZone, chosenTimeZone } = await pageContext()
  if (!ctx.user || !ctx.session || !isOpenTo({ area: 'any' }, ctx.user.methods)) return children
  const { locale } = ctx
  const [shell, t, words, messages] = await Promise.all([
    shellOf(ctx, ctx.user),
    getTranslations('shell'),
    getTranslations().then(wordsOf),
    getMessages(),
  ])
  const preferences = { ...shell.preferences, timeZone: chosenTimeZone }
  const sections = foldFamilies(sideMenu(shell.menu, 'Platform', locale), (family) => t(`families.${family}`))
  const crumbs = screens
    .filter(({ layout }) => layout === 'Platform')
    .map(({ name, path, clickable = true }) => ({
      name,
      path,
      label: name === 'Platform' ? t('platform') : t(`screens.${name}`),
      clickable,
    }))
  const toServices = (
    <NavLink href="/platform/apps" data-tip={t('toServices')} className={menuEntryClasses}>
      <LayoutGrid aria-hidden="true" strokeWidth={1.75} className="size-5 shrink-0" />
      <span className={menuWords}>{t('toServices')}</span>
    </NavLink>
  )
  return (
    <NextIntlClientProvider
      messages={pickMessages(messages, [
        'administration',
        'common',
        'errors',
        'failure',
        'notices',
        'shell',
        'snackbar',
        'ui',
      ])}
    >
      <AppShell
        session={ctx.session.id}
        mark={shell.mark}
        timeZone={accountTimeZone}
        wide
        brand={t('platform')}
        markCode={shell.project.code}
        logo={shell.project.logo}
        person={shell.person}
        sections={sections}
        palette={paletteGroups(shell, locale, { words, user: ctx.user })}
        preferences={preferences}
        nav={shell.nav}
        bell={shell.notices ? <Bell {...shell.notices} /> : null}
        headerVisible={shell.project.uiSettings.headerVisible}
        start={
          <ScreenBreadcrumbs crumbs={crumbs} home={{ href: '/platform/apps', label: t('screens.switchService') }} />
        }
        alerts={
          <>
            <StatusBanners notices={shell.header} user={ctx.user} />
            {ctx.user.temporary ? (
              <Alert tone="warning" className="mb-6">
                <p>{t('temporaryAdministrator')}</p>
              </Alert>
            ) : null}
          </>
        }
        foot={toServices}
        menuButton={
          <Sheet
            side="left"
            title={t('platform')}
            close={t('closeMenu')}
            trigger={<Menu aria-hidden="true" strokeWidth={1.75} className="size-5" />}
            triggerLabel={t('openMenu')}
            triggerClassName="-ml-2.5 flex size-11 shrink-0 cursor-pointer items-center justify-center rounded-control text-ink-second hover:bg-sunken hover:text-ink sm:hidden"
          >
            <SideMenu sections={sections} label={t('mainMenu')}>
              {toServices}
            </SideMenu>
            <div className="px-2.5 pt-6">
              <Preferences {...preferences} />
            </div>
          </Sheet>
        }
      >
        {children}
      </AppShell>
    </NextIntlClientProvider>
  )
}
