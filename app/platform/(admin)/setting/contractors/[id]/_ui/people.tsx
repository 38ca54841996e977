import { getTranslations } from 'next-intl/server'
import { CardList } from '@/components/card/card-list'
import { ListTable } from '@/components/list/list-table'
import { Pill } from '@/components/ui/pill'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { ListAddress } from '@/lib/base/lists/list-address'
import type * as calls from '@/lib/companies/contractors/contract'
import { listContractorPeople } from '@/lib/companies/contractors/people'
import { readList } from '@/lib/request/list-page'

type Props = {
  ctx: Ctx
  id: string
  query: ServiceInput<typeof calls.listContractorPeople>['query']
  address: ListAddress
}

/** The people of a contractor with their roles by organization. */
export function People(props: Props) {
  return (
    <CardList columns={2}>
      <Read {...props} />
    </CardList>
  )
}

async function Read({ ctx, id, query, address }: Props) {
  const [t, { people, meta }] = await Promise.all([
    getTranslations('contractors'),
    readList(address, (place) => listContractorPeople(ctx, { params: { id }, query: { ...query, ...place } })),
  ])
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      cursor
      rows={people}
      caption={t('peopleCaption')}
      search={t('peopleSearch')}
      empty={{ title: t('peopleEmptyTitle'), text: t('peopleEmptyText') }}
      columns={[
        {
          title: true,
          by: 'name',
          label: t('person'),
          cell: ({ name, login, enabled }) => (
            <>
              <span className="flex flex-wrap items-center gap-2">
                {name || login || t('nameless')}
                {enabled ? null : <Pill>{t('personDisabled')}</Pill>}
              </span>
              {login && name ? <span className="block font-normal text-ink-second text-note">{login}</span> : null}
            </>
          ),
        },
        {
          label: t('roles'),
          whole: true,
          cell: ({ access }) =>
            access.length === 0 ? (
              <span className="text-ink-second">{t('noRoles')}</span>
            ) : (
              <dl className="grid gap-1.5">
                {access.map(({ organizationId, organization, roles }) => (
                  <div key={organizationId} className="grid gap-x-3 @min-[56rem]:grid-cols-[14rem_minmax(0,1fr)]">
                    <dt className="text-ink-second text-note">{organization}</dt>
                    <dd>{roles.map(({ name }) => name).join(', ')}</dd>
                  </div>
                ))}
              </dl>
            ),
        },
      ]}
    />
  )
}
