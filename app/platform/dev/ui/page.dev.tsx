import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { ListExport } from '@/components/export/list-export'
import { PageHeader } from '@/components/ui/page-header'
import { TextLink } from '@/components/ui/text-link'
import { developmentOnly } from '@/lib/request/development'
import { pageTheme } from '@/lib/request/theme'
import { CreateAlias } from './_ui/alias-parts'
import { AvatarExample } from './_ui/avatar-example'
import { BulkSample } from './_ui/bulk-sample'
import { ConflictExample } from './_ui/conflict-dialog'
import { DefinedFields } from './_ui/defined-fields'
import { DurationSample } from './_ui/duration-sample'
import { FieldStates } from './_ui/fields'
import { HealthSample } from './_ui/health-sample'
import { LocalesSample } from './_ui/locales-sample'
import { menuPath } from './_ui/menu-sample'
import { Menus } from './_ui/menus'
import { NestedSample } from './_ui/nested-sample'
import { NoticeListSample } from './_ui/notice-list-sample'
import { OrderSample } from './_ui/order-sample'
import { RunSamples } from './_ui/run-samples'
import { SecretSample } from './_ui/secret-sample'
import { SettingsDialog } from './_ui/settings-dialog'
import { Colors, EmptyStates, ProgressSamples, Statuses, TypeSizes, Values } from './_ui/shown'
import { ThemeChoice } from './_ui/theme-choice'
import { Buttons, ConfirmExample, LongExample, Notices, TabsExample } from './_ui/tried'

export async function generateMetadata(): Promise<Metadata> {
  developmentOnly()
  return { title: (await getTranslations('gallery'))('title') }
}

/** All components of the pages in every state. */
export default async function GalleryPage() {
  developmentOnly()
  const t = await getTranslations('gallery')
  const sections = {
    colors: <Colors />,
    type: <TypeSizes />,
    buttons: <Buttons />,
    menus: <Menus />,
    statuses: <Statuses />,
    fields: <FieldStates />,
    defined: <DefinedFields />,
    avatar: <AvatarExample />,
    dialogs: (
      <div className="flex flex-wrap gap-3">
        <CreateAlias />
        <ConfirmExample />
        <LongExample />
        <SettingsDialog />
        <ConflictExample kind="conflict" />
        <ConflictExample kind="deleted" />
      </div>
    ),
    tabs: <TabsExample />,
    locales: <LocalesSample />,
    values: <Values />,
    empty: <EmptyStates />,
    waiting: <ProgressSamples />,
    notices: <Notices />,
    noticeList: <NoticeListSample />,
    bulk: <BulkSample />,
    exports: <ExportSample />,
    duration: <DurationSample />,
    order: <OrderSample />,
    nested: <NestedSample />,
    runs: <RunSamples />,
    secret: <SecretSample />,
    health: <HealthSample />,
    toggles: <TextLink href="/platform/dev/ui/toggles">{t('togglesPage')}</TextLink>,
    card: <TextLink href="/platform/dev/ui/card">{t('cardPage')}</TextLink>,
    list: <TextLink href="/platform/dev/ui/list">{t('listPage')}</TextLink>,
    menu: <TextLink href={`${menuPath}/overview`}>{t('menuPage')}</TextLink>,
  } satisfies Record<string, ReactNode>
  const names = Object.keys(sections) as (keyof typeof sections)[]
  return (
    <main
      id="main"
      tabIndex={-1}
      data-quiet-focus
      className="@container mx-auto grid w-full max-w-[72rem] gap-8 px-4 py-8 sm:px-8"
    >
      <PageHeader title={t('title')} text={t('lead')} action={<ThemeChoice current={await pageTheme()} />} />
      <div className="grid gap-10 @min-[40rem]:grid-cols-[11rem_minmax(0,1fr)]">
        <nav aria-label={t('index')} className="@min-[40rem]:sticky @min-[40rem]:top-8 @min-[40rem]:self-start">
          <ul className="flex flex-wrap gap-x-4 gap-y-1 text-table @min-[40rem]:grid">
            {names.map((name) => (
              <li key={name}>
                <a href={`#${name}`} className="inline-flex min-h-7 items-center text-ink-second hover:text-ink">
                  {t(`sections.${name}`)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-12">
          {names.map((name) => (
            <section
              key={name}
              id={name}
              aria-labelledby={`${name}-title`}
              className="grid grid-cols-[minmax(0,1fr)] gap-4"
            >
              <h2 id={`${name}-title`} className="text-section">
                {t(`sections.${name}`)}
              </h2>
              {sections[name]}
            </section>
          ))}
        </div>
      </div>
    </main>
  )
}

/** The export of a list: counted, counted up to a limit, and not counted. */
function ExportSample() {
  const address = { search: 'filter[enabled]=true' }
  return (
    <div className="flex flex-wrap gap-2">
      {[{ total: 1_248 }, { total: 10_000, more: true }, {}].map((count) => (
        <ListExport key={JSON.stringify(count)} address={address} path="/setting/users/export" {...count} />
      ))}
    </div>
  )
}
