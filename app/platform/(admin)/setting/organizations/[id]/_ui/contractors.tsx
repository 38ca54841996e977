import { getTranslations } from 'next-intl/server'
import { CardList } from '@/components/card/card-list'
import { enabledColumn, RowLink } from '@/components/list/columns'
import { ListTable } from '@/components/list/list-table'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ListAddress } from '@/lib/base/lists/list-address'
import { cardPath } from '@/lib/base/navigation/screens'
import { type OrganizationContractors, organizationContractors } from '@/lib/companies/organizations/card'
import { readList } from '@/lib/request/list-page'

type Props = { ctx: Ctx; id: string; address: ListAddress; query: OrganizationContractors }

/** The contractors for which the organization is available. */
export function Contractors(props: Props) {
  return (
    <CardList columns={3}>
      <Read {...props} />
    </CardList>
  )
}

async function Read({ ctx, id, address, query }: Props) {
  const [t, { contractors, meta }] = await Promise.all([
    getTranslations('organizations'),
    readList(address, (place) => organizationContractors(ctx, id, { query: { ...query, ...place } })),
  ])
  return (
    <ListTable
      cursor
      address={address}
      query={query}
      meta={meta}
      rows={contractors}
      caption={t('contractorsCaption')}
      search={t('contractorSearch')}
      empty={{ title: t('noContractorsTitle'), text: t('noContractorsText') }}
      columns={[
        {
          title: true,
          by: 'name',
          label: t('contractor'),
          cell: ({ id: contractor, name }) => (
            <RowLink href={cardPath('PlatformContractor', contractor)}>{name}</RowLink>
          ),
        },
        { label: t('inn'), cell: ({ inn }) => <span className="tabular-nums">{inn || t('none')}</span> },
        enabledColumn(t('state'), t('contractorOn'), t('contractorOff')),
      ]}
    />
  )
}
