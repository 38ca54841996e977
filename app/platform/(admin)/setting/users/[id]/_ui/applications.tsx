import { getTranslations } from 'next-intl/server'
import type { z } from 'zod'
import { CardList } from '@/components/card/card-list'
import { ListTable } from '@/components/list/list-table'
import { DateTime } from '@/components/ui/date-time'
import type { Ctx } from '@/lib/base/context/ctx'
import { localName } from '@/lib/base/i18n/local-name'
import type { ListAddress } from '@/lib/base/lists/list-address'
import { listApplicationsOfUser } from '@/lib/openid/applications-of-users/service'
import type { UserApplicationQuery } from '@/lib/openid/consents/contract'
import { EndApplication } from './end-application'

type Props = {
  ctx: Ctx
  id: string
  mayEnd: boolean
  query: z.output<typeof UserApplicationQuery>
  address: ListAddress
}

/** The applications that have access to data of a person. */
export function Applications(props: Props) {
  return (
    <CardList columns={4}>
      <Read {...props} />
    </CardList>
  )
}

async function Read({ ctx, id, mayEnd, query, address }: Props) {
  const [t, { applications, meta }] = await Promise.all([
    getTranslations('users'),
    listApplicationsOfUser(ctx, { params: { id }, query }),
  ])
  const nameOf = (row: (typeof applications)[number]) => localName(row, ctx.locale)
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      rows={applications}
      caption={t('applicationsCaption')}
      empty={{ title: t('applicationsEmptyTitle'), text: t('applicationsEmptyText') }}
      columns={[
        { title: true, by: 'name', label: t('application'), cell: nameOf },
        { label: t('since'), priority: 2, cell: ({ since }) => (since ? <DateTime value={since} /> : null) },
        { label: t('lastUsed'), cell: ({ lastUsed }) => (lastUsed ? <DateTime value={lastUsed} /> : null) },
      ]}
      menu={mayEnd ? (row) => <EndApplication id={id} applicationId={row.id} name={nameOf(row)} /> : undefined}
    />
  )
}
