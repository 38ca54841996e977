import { getTranslations } from 'next-intl/server'
import { Fragment, type ReactNode } from 'react'
import { cn } from '../ui/cn'
import { menuWords } from './menu-classes'
import type { MenuLinkView, MenuSectionView } from './menu-view'
import { NavLink } from './nav-link'
import { ScreenIcon } from './screen-icon'

const shape = cn(
  'flex min-h-9 w-full items-center gap-3 rounded-control border border-transparent px-2.5 text-left text-ink-second text-table transition-colors',
  'hover:text-ink aria-[current=page]:border-line aria-[current=page]:bg-surface aria-[current=page]:font-medium aria-[current=page]:text-ink',
  'group-data-mini/shell:justify-center group-data-mini/shell:px-0',
  'group-data-titles/shell:group-data-mini/shell:flex-col group-data-titles/shell:group-data-mini/shell:gap-1 group-data-titles/shell:group-data-mini/shell:px-0.5 group-data-titles/shell:group-data-mini/shell:py-1.5',
  'pointer-coarse:min-h-11 max-sm:min-h-11',
)
/** How an entry of the side menu looks, for what isn't a page. */
export const menuEntryClasses = cn(shape, 'cursor-pointer hover:bg-[color-mix(in_oklab,var(--ink)_5%,transparent)]')

async function Badge({ count }: { count: number }) {
  const t = await getTranslations('shell')
  return (
    <span className="ml-auto rounded-pill bg-warning-tint px-1.5 font-medium text-note text-warning tabular-nums group-data-mini/shell:absolute group-data-mini/shell:top-0.5 group-data-mini/shell:right-0.5 group-data-mini/shell:px-1 group-data-mini/shell:leading-4">
      <span aria-hidden="true">{count}</span>
      <span className="sr-only">, {t('waiting', { count })}</span>
    </span>
  )
}

function Entry({ link: { name, label, href, outer, badge }, root }: { link: MenuLinkView; root: boolean }) {
  const inside = (
    <>
      <ScreenIcon name={name} />
      <span className={cn('py-1 group-data-mini/shell:py-0', menuWords)}>{label}</span>
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
    <NavLink href={href} deep={!root} data-tip={label} className={cn('relative', menuEntryClasses)}>
      {inside}
    </NavLink>
  )
}

type Props = { sections: MenuSectionView[]; label: string; children?: ReactNode }

/** The side menu: pages in groups with their icons, and `children` below them. */
export function SideMenu({ sections, label, children }: Props) {
  return (
    <>
      <nav aria-label={label} className="grid grid-cols-1 gap-0.5">
        {sections.map(({ title, links }) => (
          <Fragment key={title}>
            {title ? (
              <h2 className="px-2.5 pt-4 pb-1 text-ink-second text-note group-data-mini/shell:my-2 group-data-mini/shell:h-px group-data-mini/shell:overflow-hidden group-data-mini/shell:bg-line group-data-mini/shell:p-0 group-data-mini/shell:text-[0]">
                {title}
              </h2>
            ) : null}
            <ul className="grid grid-cols-1 gap-0.5">
              {links.map((link) => (
                <li key={link.name}>
                  <Entry link={link} root={title === null} />
                </li>
              ))}
            </ul>
          </Fragment>
        ))}
      </nav>
      {children ? <div className="mt-auto grid grid-cols-1 gap-0.5 pt-6">{children}</div> : null}
    </>
  )
}
