import Link from 'next/link'
import { getTranslations } from 'next-intl/server'
import { CardPart } from '@/components/card/card-part'
import { List } from '@/components/list/list'
import { ListTable } from '@/components/list/list-table'
import { Pill } from '@/components/ui/pill'
import { readList } from '@/lib/context/list-page'
import type { Ctx } from '@/lib/kernel/ctx'
import type { ListAddress } from '@/lib/kernel/list-address'
import { pathOfScreen } from '@/lib/kernel/navigation/screens'
import { type OrganizationContractors, organizationContractors } from '@/lib/people/organizations/card'

type Props = { ctx: Ctx; id: string; address: ListAddress; query: OrganizationContractors }

/** The contractors that have the organization available. */
export async function Contractors({ ctx, id, address, query }: Props) {
  const [t, { contractors, meta }] = await Promise.all([
    getTranslations('organizations'),
    readList(address, (place) => organizationContractors(ctx, id, { query: { ...query, ...place } })),
  ])
  const card = pathOfScreen('PlatformContractor')
  return (
    <CardPart>
      <List>
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
              cell: (row) =>
                card ? (
                  <Link href={card.replace('{id}', row.id)} prefetch={false} className="hover:underline">
                    {row.name}
                  </Link>
                ) : (
                  row.name
                ),
            },
            { label: t('inn'), cell: ({ inn }) => <span className="tabular-nums">{inn || t('none')}</span> },
            {
              label: t('state'),
              cell: ({ enabled }) => (
                <Pill tone={enabled ? 'ok' : 'neutral'}>{t(enabled ? 'contractorOn' : 'contractorOff')}</Pill>
              ),
            },
          ]}
        />
      </List>
    </CardPart>
  )
}
