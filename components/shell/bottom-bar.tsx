import { Ellipsis } from 'lucide-react'
import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import type { MenuLinkView } from './menu-view'
import { NavLink } from './nav-link'
import { ScreenIcon } from './screen-icon'
import { Sheet } from './sheet'

const place =
  'flex min-h-14 w-full min-w-0 flex-col items-center justify-center gap-0.5 px-1 text-[0.75rem] leading-4 text-ink-second aria-[current=page]:font-medium aria-[current=page]:text-brand'

type Props = {
  links: MenuLinkView[]
  /** The sum of the badges of the pages behind «More». */
  waiting: number
  children: ReactNode
}

/** The menu of a phone: three pages within reach of the thumb, and the others behind «More». */
export async function BottomBar({ links, waiting, children }: Props) {
  const t = await getTranslations('shell')
  const shorts: Partial<Record<MenuLinkView['name'], string>> = { UserProfileMain: t('short.UserProfileMain') }
  return (
    <div
      data-bottom-bar=""
      className="fixed inset-x-0 bottom-0 z-20 border-line border-t bg-surface pb-[env(safe-area-inset-bottom)] sm:hidden print:hidden"
    >
      <nav aria-label={t('bottomMenu')} className="grid auto-cols-fr grid-flow-col">
        {links.map(({ name, label, href }) => (
          <NavLink key={name} href={href} className={place}>
            <ScreenIcon name={name} />
            <span className="max-w-full truncate">{shorts[name] ?? label}</span>
          </NavLink>
        ))}
        <Sheet
          side="bottom"
          title={t('more')}
          close={t('closeMenu')}
          trigger={
            <>
              <span className="relative">
                <Ellipsis aria-hidden="true" strokeWidth={1.75} className="size-5" />
                {waiting > 0 ? (
                  <span
                    aria-hidden="true"
                    className="absolute -top-1 left-full rounded-pill bg-warning-tint px-1 font-medium text-warning tabular-nums leading-4"
                  >
                    {waiting}
                  </span>
                ) : null}
              </span>
              {t('more')}
              {waiting > 0 ? <span className="sr-only">, {t('waiting', { count: waiting })}</span> : null}
            </>
          }
          triggerClassName={`${place} cursor-pointer`}
        >
          {children}
        </Sheet>
      </nav>
    </div>
  )
}
