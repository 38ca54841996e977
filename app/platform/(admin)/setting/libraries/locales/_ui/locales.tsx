import { getTranslations } from 'next-intl/server'
import { changedColumn, enabledColumn, RowLink } from '@/components/list/columns'
import { ListTable } from '@/components/list/list-table'
import { Mono } from '@/components/ui/mono'
import { Pill } from '@/components/ui/pill'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { cardPath } from '@/lib/base/navigation/screens'
import { type ListContext, readList } from '@/lib/request/list-page'
import type * as calls from '@/lib/site/locales/contract'
import { listLocales } from '@/lib/site/locales/service'
import { CreateLocale, LocaleRowMenu } from './locale-parts'

type Props = ServiceInput<typeof calls.listLocales> & ListContext

/** The list with its search, filters and pager. */
export async function Locales({ ctx, query, address, mayWrite, kept }: Props) {
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
      kept={kept}
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
        {
          label: t('domains'),
          className: ({ domainsCount }) => (domainsCount > 0 ? 'tabular-nums' : 'text-ink-second'),
          cell: ({ domainsCount: count }) => (count > 0 ? t('inDomains', { count }) : t('noDomains')),
        },
        changedColumn(t('changed')),
      ]}
      menu={mayWrite ? (locale) => <LocaleRowMenu locale={locale} name={locale.name} /> : undefined}
    />
  )
}
