import { getTranslations } from 'next-intl/server'
import type { ListFilter } from '@/components/list/filter'
import { ListEmpty } from '@/components/list/list-empty'
import { ListFilters } from '@/components/list/list-filters'
import { isFiltered } from '@/components/list/list-link'
import { ListSearch } from '@/components/list/list-search'
import { ListTools } from '@/components/list/list-tools'
import { Pager } from '@/components/list/pager'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { localName } from '@/lib/base/i18n/local-name'
import type { ListAddress } from '@/lib/base/lists/list-address'
import type * as calls from '@/lib/openid/consents/contract'
import { listUserApplications } from '@/lib/openid/consents/service'
import { ApplicationCard } from './application-card'

type Props = { ctx: Ctx; query: ServiceInput<typeof calls.listUserApplications>['query']; address: ListAddress }

/** The applications as cards with search and pager. Those of other owners come first. */
export async function Applications({ ctx, query, address }: Props) {
  const [t, tList, { applications, meta }] = await Promise.all([
    getTranslations('user-applications'),
    getTranslations('ui.list'),
    listUserApplications(ctx, { query }),
  ])
  const filters: ListFilter[] = [
    {
      kind: 'choice',
      name: 'type',
      label: t('types'),
      options: [
        { value: 'external', label: t('external') },
        { value: 'own', label: t('own') },
      ],
    },
  ]
  // the person has no applications, so there is nothing to search
  const isEmpty = meta.total === 0 && !isFiltered(address)
  return (
    <>
      {isEmpty ? null : (
        <ListTools count={tList(isFiltered(address) ? 'found' : 'total', { count: meta.total })}>
          <ListSearch address={address} label={t('search')} />
          <ListFilters address={address} filters={filters} />
        </ListTools>
      )}
      {applications.length > 0 ? (
        <ul className="grid gap-3">
          {applications.map((application) => (
            <li key={application.id}>
              <ApplicationCard application={application} name={localName(application, ctx.locale)} />
            </li>
          ))}
        </ul>
      ) : (
        <ListEmpty address={address} meta={meta} title={t('empty')} text={t('emptyText')} />
      )}
      <Pager address={address} meta={meta} counted />
    </>
  )
}
