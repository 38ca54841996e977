import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { StreamedPart } from '@/components/hydration/streamed-part'
import { isShown } from '@/components/list/chosen-columns'
import { List, ListLink } from '@/components/list/list'
import { ListColumns } from '@/components/list/list-columns'
import { ListEmpty } from '@/components/list/list-empty'
import { ListFilters } from '@/components/list/list-filters'
import { isFiltered, listHref } from '@/components/list/list-link'
import { ListSearch } from '@/components/list/list-search'
import { ListTools } from '@/components/list/list-tools'
import { countText, Pager } from '@/components/list/pager'
import { SortMenu } from '@/components/list/sort-menu'
import { Cell, Header, MenuCell, MenuHeader, Row, SortHeader, Table, TitleCell } from '@/components/list/table'
import { TableSkeleton } from '@/components/list/table-skeleton'
import { Breadcrumbs } from '@/components/ui/breadcrumbs'
import { buttonClasses } from '@/components/ui/button-classes'
import { DateTime } from '@/components/ui/date-time'
import { Mono } from '@/components/ui/mono'
import { PageHeader } from '@/components/ui/page-header'
import { Pill } from '@/components/ui/pill'
import { type PageSearch, readListAddress } from '@/lib/base/lists/list-address'
import { developmentOnly } from '@/lib/request/development'
import { pageContext } from '@/lib/request/page'
import { AliasRowMenu, CreateAlias } from '../_ui/alias-parts'
import { SampleQuery, sampleAliases, uses } from '../_ui/sample'

const path = '/platform/dev/ui/list'
/** The list under whose name the choice of columns is stored: the real list that this one imitates. */
const list = 'PlatformNetworkAliases'
const tones = { whitelist: 'ok', network: 'info', blacklist: 'danger' } as const

export async function generateMetadata(): Promise<Metadata> {
  developmentOnly()
  return { title: (await getTranslations('gallery'))('listPage') }
}

/** Renders nothing; with a cookie only after three seconds, or fails on the server. */
async function Provoked() {
  const cookie = (await pageContext()).ctx.cookies.get('gallery-list')
  if (cookie === 'waits') await new Promise((resolve) => setTimeout(resolve, 3_000))
  if (cookie === 'fails') throw new Error('the gallery’s list was asked to fail')
  return null
}

/** A list as on an administration page, with sample rows. */
export default async function ExampleListPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  developmentOnly()
  const t = await getTranslations('gallery.aliases')
  const tg = await getTranslations('gallery')
  const tl = await getTranslations('ui.list')
  const { query, address } = readListAddress(SampleQuery, path, await searchParams)
  const { aliases, meta } = sampleAliases(query)
  const sorts = { query, address }
  const chosen = (await pageContext()).ctx.user?.columns[list] ?? {}
  const columnShown = { usedIn: isShown({ name: 'usedIn' }, chosen), changed: isShown({ name: 'changed' }, chosen) }
  return (
    <div className="min-h-dvh">
      <header className="border-line border-b bg-surface px-4 py-2 sm:px-7">
        <Breadcrumbs trail={[{ label: tg('toIndex'), href: '/platform/dev/ui' }, { label: t('title') }]} />
      </header>
      <main id="main" tabIndex={-1} className="@container grid gap-5 px-4 py-6 sm:px-7">
        <PageHeader title={t('title')} text={t('lead')} action={<CreateAlias />} />
        <List>
          <StreamedPart fallback={<TableSkeleton columns={4} />}>
            <Provoked />
          </StreamedPart>
          <ListTools count={countText(tl, meta, isFiltered(address) ? 'found' : 'total')}>
            <ListSearch address={address} label={t('search')} />
            <SortMenu
              {...sorts}
              sorts={[
                { by: 'name', label: t('name') },
                { by: 'usedIn', label: t('usedIn') },
                { by: 'changed', label: t('changed') },
              ]}
            />
            <ListFilters
              address={address}
              filters={[
                { kind: 'yesNo', name: 'used', label: t('used') },
                {
                  kind: 'many',
                  name: 'usedIn',
                  label: t('usedIn'),
                  options: uses.map((use) => ({ value: use, label: t(use) })),
                },
                { kind: 'text', name: 'subnet', label: t('subnet'), hint: '10.0.0.0/8' },
                { kind: 'dates', name: 'changed', label: t('changed'), from: 'changedFrom', to: 'changedTo' },
              ]}
            />
            <ListColumns
              list={list}
              columns={[
                { name: 'usedIn', label: t('usedIn'), shown: columnShown.usedIn },
                { name: 'changed', label: t('changed'), shown: columnShown.changed },
              ]}
            />
          </ListTools>
          {aliases.length === 0 ? (
            <ListEmpty address={address} meta={meta} title={t('emptyTitle')} text={t('emptyText')} />
          ) : (
            <Table
              caption={t('caption')}
              head={
                <>
                  <SortHeader by="name" {...sorts}>
                    {t('name')}
                  </SortHeader>
                  <Header>{t('addresses')}</Header>
                  {columnShown.usedIn ? (
                    <SortHeader by="usedIn" {...sorts}>
                      {t('usedIn')}
                    </SortHeader>
                  ) : null}
                  {columnShown.changed ? (
                    <SortHeader by="changed" first="desc" priority={2} {...sorts}>
                      {t('changed')}
                    </SortHeader>
                  ) : null}
                  <MenuHeader />
                </>
              }
            >
              {aliases.map(({ id, name, addresses, usedIn, changed }) => (
                <Row key={id}>
                  <TitleCell
                    facts={
                      columnShown.changed
                        ? [{ label: t('changed'), priority: 2, value: <DateTime value={changed} /> }]
                        : []
                    }
                  >
                    {name}
                  </TitleCell>
                  <Cell label={t('addresses')} whole>
                    <span className="flex flex-wrap items-center gap-1.5">
                      {addresses.slice(0, 2).map((one) => (
                        <Mono key={one}>{one}</Mono>
                      ))}
                      {addresses.length > 2 ? t('andMore', { count: addresses.length - 2 }) : null}
                    </span>
                  </Cell>
                  {columnShown.usedIn ? (
                    <Cell label={t('usedIn')}>
                      {usedIn ? <Pill tone={tones[usedIn]}>{t(usedIn)}</Pill> : <Pill>{t('notUsed')}</Pill>}
                    </Cell>
                  ) : null}
                  {columnShown.changed ? (
                    <Cell label={t('changed')} priority={2} className="text-ink-second">
                      <DateTime value={changed} />
                    </Cell>
                  ) : null}
                  <MenuCell>
                    <AliasRowMenu name={name} addresses={addresses} />
                  </MenuCell>
                </Row>
              ))}
            </Table>
          )}
          {/* a long list with a cursor is counted only up to a limit */}
          <Pager address={address} meta={meta.page === undefined ? { ...meta, total: 10_000, more: true } : meta} />
          <p className="text-ink-second text-note">
            {meta.page !== undefined && meta.after ? (
              <ListLink
                href={listHref(address, { after: meta.after })}
                className={buttonClasses({ variant: 'quiet', size: 'S' })}
              >
                {t('byCursor')}
              </ListLink>
            ) : null}
          </p>
        </List>
      </main>
    </div>
  )
}
