import { getTranslations } from 'next-intl/server'
import { domainsColumn, EnabledPill, RowLink } from '@/components/list/columns'
import { ListTable } from '@/components/list/list-table'
import { DateTime } from '@/components/ui/date-time'
import { Mono } from '@/components/ui/mono'
import { Pill } from '@/components/ui/pill'
import { cardPath } from '@/lib/base/navigation/screens'
import { listDocuments } from '@/lib/documents/documents/administer'
import type { DocumentQuery } from '@/lib/documents/documents/contract'
import { type ListOf, readList } from '@/lib/request/list-page'
import { CreateDocument, DocumentRowMenu } from './document-parts'

/** The list with its search, filters and pager. */
export async function Documents({ ctx, query, address, mayWrite, chosenColumns }: ListOf<typeof DocumentQuery>) {
  const [t, { documents: rows, meta }] = await Promise.all([
    getTranslations('documents'),
    readList(address, (place) => listDocuments(ctx, { query: { ...query, ...place } })),
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
      filters={[
        {
          kind: 'choice',
          name: 'type',
          label: t('type'),
          options: (['agreement', 'document'] as const).map((value) => ({ value, label: t(`types.${value}`) })),
        },
        { kind: 'yesNo', name: 'enabled', label: t('enabled') },
        { kind: 'yesNo', name: 'adminVisible', label: t('adminVisible') },
      ]}
      empty={{ title: t('emptyTitle'), text: t('emptyText'), action: mayWrite ? <CreateDocument /> : null }}
      columns={[
        {
          title: true,
          by: 'name',
          label: t('name'),
          cell: ({ id, name, code }) => (
            <>
              <RowLink href={cardPath('PlatformLibrariesDocument', id)}>{name}</RowLink>
              <span className="block font-normal text-note">
                <Mono>{code}</Mono>
              </span>
            </>
          ),
        },
        {
          label: t('type'),
          cell: ({ type, version }) => (
            <>
              {t(`types.${type}`)}
              <span className="block text-ink-second text-note">{t('versionOf', { version })}</span>
            </>
          ),
        },
        {
          name: 'enabled',
          label: t('enabled'),
          cell: ({ enabled }) => <EnabledPill enabled={enabled} on={t('on')} off={t('off')} />,
        },
        {
          label: t('languages'),
          priority: 2,
          cell: ({ languages }) => (
            <span className="flex flex-wrap gap-1">
              {languages.map((code) => (
                <Pill key={code} tone="neutral">
                  {code}
                </Pill>
              ))}
            </span>
          ),
        },
        domainsColumn(t('domains'), (count) => (count > 0 ? t('inDomains', { count }) : t('noDomains'))),
        {
          name: 'date',
          by: 'date',
          first: 'desc',
          label: t('date'),
          priority: 2,
          className: 'text-ink-second',
          cell: ({ date }) => <DateTime value={date} />,
        },
      ]}
      menu={mayWrite ? (document) => <DocumentRowMenu document={document} name={document.name} /> : undefined}
    />
  )
}
