import { LayoutGrid, Menu } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { Mark } from '@/components/look/mark'
import { FamilyTabs } from '@/components/shell/family-tabs'
import { FoldButton, ShellFrame } from '@/components/shell/frame'
import { menuWords } from '@/components/shell/menu-classes'
import { familiesOf, foldFamilies } from '@/components/shell/menu-view'
import { Sheet } from '@/components/shell/sheet'
import { SideColumn } from '@/components/shell/side-column'
import { menuEntryClasses, SideMenu } from '@/components/shell/side-menu'
import { Breadcrumbs } from '@/components/ui/breadcrumbs'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/page-header'
import { developmentOnly } from '@/lib/request/development'
import { sampleFamily, sampleMenu, samplePages } from '../../_ui/menu-sample'

export async function generateMetadata(): Promise<Metadata> {
  developmentOnly()
  return { title: (await getTranslations('gallery'))('menuPage') }
}

/** The frame of the administration with as many pages as it will have. */
export default async function ExampleMenuPage({ params }: { params: Promise<{ page: string }> }) {
  developmentOnly()
  const [t, tg, ts, { page: requestedPage }] = await Promise.all([
    getTranslations('gallery.menu'),
    getTranslations('gallery'),
    getTranslations('shell'),
    params,
  ])
  const page = samplePages.find((each) => each === requestedPage)
  if (!page) notFound()
  const sections = foldFamilies(
    sampleMenu(
      (group) => t(`groups.${group}`),
      (each) => t(`pages.${each}`),
    ),
    (family) => ts(`families.${family}`),
    sampleFamily,
  )
  const toIndex = (
    <Link href="/platform/dev/ui" prefetch={false} data-tip={tg('toIndex')} className={menuEntryClasses}>
      <LayoutGrid aria-hidden="true" strokeWidth={1.75} className="size-5 shrink-0" />
      <span className={menuWords}>{tg('toIndex')}</span>
    </Link>
  )
  const home = (
    <span className="flex min-w-0 items-center gap-3 font-semibold text-body leading-5">
      <Mark className="text-brand" />
      <span className="min-w-0 break-words mini:hidden">{ts('platform')}</span>
    </span>
  )
  return (
    <ShellFrame mini={false} titles>
      <SideColumn
        label={ts('platform')}
        titles
        home={home}
        sections={sections}
        menuLabel={ts('mainMenu')}
        fold={<FoldButton fold={ts('foldMenu')} unfold={ts('unfoldMenu')} />}
      >
        {toIndex}
      </SideColumn>
      <div className="flex min-w-0 grow flex-col">
        <header className="sticky top-0 z-20 flex h-(--header-height) shrink-0 items-center border-line border-b bg-paper px-4 sm:px-7 print:hidden">
          <Sheet
            side="left"
            title={ts('platform')}
            close={ts('closeMenu')}
            trigger={<Menu aria-hidden="true" strokeWidth={1.75} className="size-5" />}
            triggerLabel={ts('openMenu')}
            triggerClassName="-ml-2.5 flex size-11 shrink-0 cursor-pointer items-center justify-center rounded-control text-ink-second hover:bg-sunken hover:text-ink sm:hidden"
          >
            <SideMenu sections={sections} label={ts('mainMenu')}>
              {toIndex}
            </SideMenu>
          </Sheet>
          <Breadcrumbs trail={[{ label: tg('toIndex'), href: '/platform/dev/ui' }, { label: t(`pages.${page}`) }]} />
        </header>
        <main id="main" tabIndex={-1} data-quiet-focus className="@container grow px-4 pt-5 pb-12 sm:px-7 sm:pt-7">
          <FamilyTabs families={familiesOf(sections)} />
          <div className="grid gap-5">
            <PageHeader title={t(`pages.${page}`)} text={t('lead')} />
            <EmptyState title={t('emptyTitle')} text={t('emptyText')} />
          </div>
        </main>
      </div>
    </ShellFrame>
  )
}
