import { SlidersHorizontal } from 'lucide-react'
import Link from 'next/link'
import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { Mark } from '../look/mark'
import { cn } from '../ui/cn'
import { AvatarLink } from './avatar-link'
import { FamilyTabs } from './family-tabs'
import { FoldButton, ShellFrame } from './frame'
import { Live } from './live'
import { menuWords } from './menu-classes'
import { familiesOf, type MenuSectionView } from './menu-view'
import { OfflinePage } from './offline-page'
import { Palette } from './palette/palette'
import type { PaletteGroup } from './palette/palette-dialog'
import { Preferences, type PreferencesProps } from './preferences'
import { RouteFocus } from './route-focus'
import { SideColumn } from './side-column'
import { menuEntryClasses } from './side-menu'
import { SignOutEntry } from './sign-out-entry'
import { SkipLink } from './skip-link'
import { ZoneKeeper } from './zone-keeper'

const iconButton =
  'flex size-11 shrink-0 cursor-pointer items-center justify-center rounded-control text-ink-second transition-colors hover:bg-sunken hover:text-ink sm:pointer-fine:size-9'

type ShellPerson = { initials: string; picture: string | null; name: string; href: string }

export type AppShellProps = {
  /** The id of the session for which the page was rendered. */
  session: string
  /** The frame version of the rendered page. */
  mark: string
  /** The zone that is stored on the account. */
  timeZone: string | null
  /** The text next to the emblem: the name of the project or of the area. */
  brand: string
  /** The image code of the domain's emblem. */
  markCode: string
  /** The id of its own logo. */
  logo: string | null
  person: ShellPerson
  sections: MenuSectionView[]
  palette: PaletteGroup[]
  preferences: PreferencesProps
  /** Whether the side menu is folded at first, and whether the person may fold it. */
  nav: { mini: boolean; editable: boolean; titles: boolean }
  headerVisible: boolean
  /**
   * Left in the header: the breadcrumbs, or the back link. They need the phone's width, so the brand shows only its
   * emblem.
   */
  start: ReactNode
  brief?: boolean
  /** Right in the header, after the search. */
  bell?: ReactNode
  /** The header warnings, above every page. */
  alerts?: ReactNode
  /** Below the pages in the side menu. */
  foot?: ReactNode
  /** How the menu opens on a phone: by a bottom bar, or by a button in the header. */
  bottomBar?: ReactNode
  menuButton?: ReactNode
  wide?: boolean
  children: ReactNode
}

/** The common part of the layouts for signed-in people: side menu, header, header warnings, and the page. */
export async function AppShell(props: AppShellProps) {
  const { brand, markCode, logo, person, sections, palette, preferences, nav, headerVisible, children } = props
  const [t, common] = await Promise.all([getTranslations('shell'), getTranslations('common')])
  const home = (
    <Link
      href="/platform/apps"
      prefetch={false}
      aria-label={`${brand}: ${t('toServices')}`}
      data-tip={t('toServices')}
      className="flex min-w-0 items-center gap-3 rounded-control font-semibold text-body leading-5 mini:justify-center"
    >
      <Mark code={markCode} logo={logo} className="text-brand" />
      <span className={cn('min-w-0 break-words mini:hidden max-sm:truncate', props.brief && 'max-sm:hidden')}>
        {brand}
      </span>
    </Link>
  )
  return (
    <ShellFrame mini={nav.mini} titles={nav.titles}>
      <SkipLink label={common('skipToContent')} />
      <RouteFocus />
      <OfflinePage variant={`${preferences.locale}.${preferences.theme}.${markCode}`} />
      <Live session={props.session} mark={props.mark} />
      <ZoneKeeper stored={props.timeZone} chosen={preferences.timeZone !== null} />
      <SideColumn
        label={brand}
        titles={nav.titles}
        home={home}
        sections={sections}
        menuLabel={t('mainMenu')}
        fold={nav.editable ? <FoldButton fold={t('foldMenu')} unfold={t('unfoldMenu')} /> : null}
      >
        {props.foot}
        {headerVisible ? null : (
          <>
            <Link href={person.href} prefetch={false} data-tip={person.name} className={menuEntryClasses}>
              <span aria-hidden="true" className="w-5 text-center font-semibold text-brand text-note uppercase">
                {person.initials}
              </span>
              <span className={menuWords}>{person.name}</span>
            </Link>
            <button type="button" popoverTarget="preferences" data-tip={t('preferences')} className={menuEntryClasses}>
              <SlidersHorizontal aria-hidden="true" strokeWidth={1.75} className="size-5 shrink-0" />
              <span className={menuWords}>{t('preferences')}</span>
            </button>
            <SignOutEntry word className={menuEntryClasses} />
          </>
        )}
      </SideColumn>
      <div className="flex min-w-0 grow flex-col">
        <header
          className={cn(
            'sticky top-0 z-20 flex h-(--header-height) print:hidden shrink-0 items-center justify-between gap-2 border-line border-b bg-paper px-4 after:absolute after:-bottom-px after:left-full after:w-[env(safe-area-inset-right)] after:border-line after:border-b sm:gap-3 sm:px-7',
            !headerVisible && 'sm:hidden',
          )}
        >
          <div className="flex min-w-0 items-center gap-1">
            {props.menuButton}
            <div className="flex min-w-0 items-center sm:hidden">{props.menuButton ? null : home}</div>
            {props.start}
          </div>
          <div className="flex shrink-0 items-center sm:gap-2">
            <Palette groups={palette} {...preferences} />
            {props.bell}
            <button
              type="button"
              popoverTarget="preferences"
              aria-label={t('preferences')}
              title={t('preferences')}
              className={cn(iconButton, 'max-sm:hidden')}
            >
              <SlidersHorizontal aria-hidden="true" strokeWidth={1.75} className="size-5" />
            </button>
            <span className="max-sm:hidden">
              <AvatarLink
                initials={person.initials}
                picture={person.picture}
                href={person.href}
                label={t('account', { name: person.name })}
              />
            </span>
            <SignOutEntry className={iconButton} />
          </div>
        </header>
        <div
          id="preferences"
          popover="auto"
          role="dialog"
          aria-label={t('preferences')}
          className={cn(
            'inset-auto m-0 w-88 max-w-[calc(100vw-1rem)] rounded-card border border-line bg-surface p-4 text-ink shadow-float open:animate-arrive',
            headerVisible
              ? 'top-[calc(var(--header-height)-4px)] right-7'
              : 'bottom-4 left-64 mini:left-20 group-data-titles/shell:mini:left-28',
          )}
        >
          <Preferences {...preferences} />
        </div>
        <main
          id="main"
          tabIndex={-1}
          data-quiet-focus
          className={cn(
            '@container grow px-4 pt-5 sm:px-7 sm:pt-7',
            headerVisible && '[--sticky-top:var(--header-height)]',
            props.wide ? 'w-full max-w-[110rem]' : 'w-full max-w-[76rem]',
            props.bottomBar ? 'pb-[calc(6rem+env(safe-area-inset-bottom))] sm:pb-12' : 'pb-12',
          )}
        >
          {props.alerts}
          <FamilyTabs families={familiesOf(sections)} />
          {children}
        </main>
        {props.bottomBar}
      </div>
    </ShellFrame>
  )
}
