import { getTranslations } from 'next-intl/server'
import { changedColumn, domainsColumn, enabledColumn, RowLink } from '@/components/list/columns'
import { ListPage } from '@/components/list/list-page'
import { ListTable } from '@/components/list/list-table'
import { Mono } from '@/components/ui/mono'
import { Pill } from '@/components/ui/pill'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { cardPath } from '@/lib/base/navigation/screens'
import { type ListOf, listPageContext, readList } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { LocaleQuery } from '@/lib/site/locales/contract'
import { listLocales } from '@/lib/site/locales/service'
import { CreateLocale, LocaleRowMenu } from './_ui/locale-parts'

export const generateMetadata = () => screenTitle('PlatformLibrariesLocales')

/** The languages. */
export default async function LocalesPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformLibrariesLocales', LocaleQuery, searchParams)
  return (
    <ListPage name={list.name} texts="locales" action={list.mayWrite ? <CreateLocale /> : null} columns={5}>
      <Locales {...list} />
    </ListPage>
  )
}

async function Locales({ ctx, query, address, mayWrite, chosenColumns }: ListOf<typeof LocaleQuery>) {
  const [t, { locales: rows, meta }] = await Promise.all([
    getTranslations('locales'),
    readList(address, (place) => listLocales(ctx, { query: { ...query, ...place } })),
  ])
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      rows={rows}
      chosenColumns={chosenColumns}
      caption={t('caption')}
      search={t('search')}
      filters={[{ kind: 'yesNo', name: 'enabled', label: t('enabled') }]}
      empty={{ action: mayWrite ? <CreateLocale /> : null }}
      columns={[
        {
          title: true,
          by: 'name',
          label: t('name'),
          cell: ({ id, name, code, immutable }) => (
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <RowLink href={cardPath('PlatformLibrariesLocale', id)}>
                <span lang={code}>{name}</span>
              </RowLink>
              {immutable ? <Pill tone="info">{t('shipped')}</Pill> : null}
            </span>
          ),
        },
        { by: 'code', label: t('code'), cell: ({ code }) => <Mono>{code}</Mono> },
        enabledColumn(t('state'), t('on'), t('off')),
        domainsColumn(t('domains'), (count) => (count > 0 ? t('inDomains', { count }) : t('noDomains'))),
        changedColumn(t('changed')),
      ]}
      menu={mayWrite ? (locale) => <LocaleRowMenu locale={locale} name={locale.name} /> : undefined}
    />
  )
}
