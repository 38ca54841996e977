import type { ReactNode } from 'react'
import type { MenuSectionView } from './menu-view'
import { SideMenu } from './side-menu'
import { Tips } from './tips'

type Props = {
  /** Its name as a landmark. */
  label: string
  /** Whether a folded menu has labels under its icons; without them the labels are tooltips. */
  titles: boolean
  /** At the top, beside the page's header. */
  home: ReactNode
  sections: MenuSectionView[]
  menuLabel: string
  /** The button that folds it, at the bottom right. */
  fold?: ReactNode
  /** Below the pages, always visible. */
  children?: ReactNode
}

const Aside = ({ label, ...rest }: { label: string; className: string; children: ReactNode }) => (
  <aside aria-label={label} {...rest} />
)

/** The column of the side menu: 62 units from 1024 px, a rail of icons from 768 px and when folded, none on a phone. */
export function SideColumn({ label, titles, home, sections, menuLabel, fold, children }: Props) {
  const Column = titles ? Aside : Tips
  return (
    <Column
      label={label}
      className="sticky top-0 z-30 flex h-dvh w-62 shrink-0 flex-col border-line border-r bg-sunken px-3 pb-1.5 print:hidden before:absolute before:inset-y-0 before:right-full before:w-[env(safe-area-inset-left)] before:bg-sunken mini:w-18 group-data-titles/shell:mini:w-26 group-data-titles/shell:mini:px-1 max-sm:hidden"
    >
      <div className="flex min-h-(--header-height) shrink-0 items-center px-2.5 py-2 mini:justify-center mini:px-0">
        {home}
      </div>
      <SideMenu sections={sections} label={menuLabel} fold={fold}>
        {children}
      </SideMenu>
    </Column>
  )
}
