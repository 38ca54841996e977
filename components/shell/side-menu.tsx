import { getTranslations } from 'next-intl/server'
import { Fragment, type ReactNode } from 'react'
import { softened } from '@/lib/base/i18n/typography'
import { cn } from '../ui/cn'
import { menuWords } from './menu-classes'
import type { MenuLinkView, MenuSectionView } from './menu-view'
import { NavLink } from './nav-link'
import { ScreenIcon } from './screen-icon'

const shape = cn(
  'flex min-h-8 w-full items-center gap-3 rounded-control border border-transparent px-2.5 text-left text-ink-second text-table transition-colors',
  'hover:text-ink aria-[current=page]:border-line-chosen aria-[current=page]:bg-surface aria-[current=page]:font-medium aria-[current=page]:text-ink',
  'has-data-pending:border-line-chosen has-data-pending:bg-surface has-data-pending:text-ink',
  'mini:justify-center mini:px-0',
  'group-data-titles/shell:mini:flex-col group-data-titles/shell:mini:gap-0.5 group-data-titles/shell:mini:px-0.5 group-data-titles/shell:mini:py-1',
  'pointer-coarse:min-h-11 max-sm:min-h-11',
)
/** The classes of an entry of the side menu that isn't a page. */
export const menuEntryClasses = cn(shape, 'cursor-pointer hover:bg-[color-mix(in_oklab,var(--ink)_5%,transparent)]')

async function Badge({ count }: { count: number }) {
  const t = await getTranslations('shell')
  return (
    <span className="ml-auto rounded-pill bg-warning-tint px-1.5 font-medium text-note text-warning tabular-nums mini:absolute mini:top-0.5 mini:right-0.5 mini:px-1 mini:leading-4">
      <span aria-hidden="true">{count}</span>
      <span className="sr-only">, {t('waiting', { count })}</span>
    </span>
  )
}

function Entry({ link, root }: { link: MenuLinkView; root: boolean }) {
  const { name, label, href, outer, badge, waiting, tabs } = link
  const inside = (
    <>
      <ScreenIcon name={name} />
      <span className={cn('py-1 mini:py-0', menuWords)}>{softened(label)}</span>
      {badge === null ? null : <Badge count={badge} />}
    </>
  )
  if (outer)
    return (
      <a href={href} data-tip={label} className={cn('relative', menuEntryClasses)}>
        {inside}
      </a>
    )
  return (
    <NavLink
      href={href}
      to={waiting}
      deep={!root}
      also={tabs?.map((tab) => tab.href)}
      data-tip={label}
      className={cn('relative', menuEntryClasses)}
    >
      {inside}
    </NavLink>
  )
}

type Props = { sections: MenuSectionView[]; label: string; fold?: ReactNode; children?: ReactNode }

/**
 * The side menu: groups of pages with icons, which scroll and fade out if there are too many. `children` are below them
 * and always visible, with the button `fold` at their right.
 */
export function SideMenu({ sections, label, fold, children }: Props) {
  return (
    <>
      <nav
        aria-label={label}
        className="fade-block -mx-1 grid scroll-py-8 min-h-0 grid-cols-1 content-start gap-px overflow-y-auto overscroll-contain px-1 py-0.5"
      >
        {sections.map(({ title, links }) => (
          <Fragment key={title}>
            {title ? (
              <h2
                className={cn(
                  'text-ink-second mini:my-1 mini:h-px mini:overflow-hidden mini:bg-line mini:p-0 mini:text-[0px]',
                  // a group with the same name as its first page has no heading of its own
                  title === links[0]?.label ? 'h-2 overflow-hidden text-[0px]' : 'px-2.5 pt-2 text-note leading-4',
                )}
              >
                {title}
              </h2>
            ) : null}
            <ul className="grid grid-cols-1 gap-px">
              {links.map((link) => (
                <li key={link.name}>
                  <Entry link={link} root={title === null} />
                </li>
              ))}
            </ul>
          </Fragment>
        ))}
      </nav>
      {children || fold ? (
        <div className="mt-auto flex shrink-0 items-end border-line border-t pt-1 mini:flex-col mini:items-stretch max-[1024px]:has-[>div:empty]:hidden">
          {/* beside the button a long word still has its line */}
          <div className="grid min-w-0 grow grid-cols-1 gap-px *:pr-0.5 mini:*:pr-0">{children}</div>
          {fold}
        </div>
      ) : null}
    </>
  )
}
