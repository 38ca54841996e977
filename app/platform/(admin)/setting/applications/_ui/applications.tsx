import { getTranslations } from 'next-intl/server'
import { changedColumn, EnabledPill, Noted, RowLink } from '@/components/list/columns'
import { ListTable } from '@/components/list/list-table'
import { ServiceMark } from '@/components/shell/service-mark'
import { Mono } from '@/components/ui/mono'
import {
  type ApplicationRow,
  applicationTypes,
  type listApplications as list,
} from '@/lib/applications/applications/contract'
import { listApplications } from '@/lib/applications/applications/manage'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { localName } from '@/lib/base/i18n/local-name'
import { cardPath } from '@/lib/base/navigation/screens'
import { type ListContext, readList } from '@/lib/request/list-page'
import { ApplicationRowMenu, CreateApplication } from './application-parts'

type Query = ServiceInput<typeof list>['query']
type Props = {
  query: Omit<Query, 'filter'> & { filter: Omit<Query['filter'], 'type'> & Partial<Query['filter']> }
} & ListContext & {
    /** Restricts the list to applications of this type. */
    only?: ApplicationRow['type']
  }

/** The list with its tools. */
export async function Applications({ ctx, query, address, mayWrite, chosenColumns, only }: Props) {
  const filter = only ? { ...query.filter, type: [only] } : query.filter
  const [t, { applications, meta }] = await Promise.all([
    getTranslations('applications'),
    readList(address, (place) => listApplications(ctx, { query: { ...query, filter, ...place } })),
  ])
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      cursor
      chosenColumns={chosenColumns}
      rows={applications}
      caption={t('caption')}
      search={t('search')}
      filters={[
        ...(only
          ? []
          : [
              {
                kind: 'many' as const,
                name: 'type',
                label: t('type'),
                options: applicationTypes.map((value) => ({ value, label: t(`types.${value}`) })),
              },
            ]),
        { kind: 'yesNo', name: 'enabled', label: t('enabled') },
        { kind: 'yesNo', name: 'menuVisible', label: t('inMenu') },
      ]}
      empty={
        only
          ? { title: t('internalEmptyTitle'), text: t('internalEmptyText') }
          : { title: t('emptyTitle'), text: t('emptyText'), action: mayWrite ? <CreateApplication /> : null }
      }
      columns={[
        {
          title: true,
          by: 'name',
          label: t('name'),
          cell: (row) => {
            const name = localName(row, ctx.locale)
            return (
              <span className="flex items-start gap-3">
                <ServiceMark size="M" title={name} icon={row.iconId} />
                <span className="min-w-0">
                  <Noted note={row.url ?? ''}>
                    <RowLink href={cardPath('PlatformApplication', row.id)}>{name}</RowLink>
                  </Noted>
                </span>
              </span>
            )
          },
        },
        ...(only ? [] : [{ name: 'type', label: t('type'), cell: ({ type }: ApplicationRow) => t(`types.${type}`) }]),
        { name: 'code', by: 'code', label: t('code'), priority: 3, cell: ({ code }) => <Mono>{code}</Mono> },
        {
          name: 'clients',
          label: t('clients'),
          align: 'right',
          priority: 2,
          className: 'tabular-nums',
          cell: ({ clientCount }) => clientCount,
        },
        {
          name: 'enabled',
          label: t('state'),
          cell: ({ enabled, type }) => (
            <EnabledPill
              enabled={enabled && type !== 'draft'}
              on={t('on')}
              off={t(type === 'draft' ? 'draft' : 'off')}
            />
          ),
        },
        {
          name: 'menu',
          label: t('menuColumn'),
          priority: 2,
          className: ({ menuVisible }) => (menuVisible ? '' : 'text-ink-second'),
          cell: ({ menuVisible }) => t(menuVisible ? 'shown' : 'hidden'),
        },
        { name: 'order', by: 'order', hidden: true, label: t('place'), align: 'right', cell: ({ order }) => order + 1 },
        changedColumn(t('changed'), 3),
      ]}
      menu={(application) => (
        <ApplicationRowMenu
          application={application}
          name={localName(application, ctx.locale)}
          href={cardPath('PlatformApplication', application.id)}
          mayWrite={mayWrite}
        />
      )}
    />
  )
}
