import Link from 'next/link'
import { getTranslations } from 'next-intl/server'
import { ListTable } from '@/components/list/list-table'
import { DateTime } from '@/components/ui/date-time'
import { Mono } from '@/components/ui/mono'
import { Pill } from '@/components/ui/pill'
import { toldCount } from '@/components/ui/told-count'
import { readList } from '@/lib/context/list-page'
import type { Ctx } from '@/lib/kernel/ctx'
import type { VerbInput } from '@/lib/kernel/http/contract'
import { localName } from '@/lib/kernel/i18n/local-name'
import type { ListAddress } from '@/lib/kernel/list-address'
import type * as calls from '@/lib/people/organizations/contract'
import { listOrganizations } from '@/lib/people/organizations/service'
import { CreateOrganization, OrganizationRowMenu } from './organization-parts'

type Props = VerbInput<typeof calls.listOrganizations> & { ctx: Ctx; address: ListAddress; mayWrite: boolean }

/** The list with its tools. */
export async function Organizations({ ctx, query, address, mayWrite }: Props) {
  const [t, { organizations, meta }] = await Promise.all([
    getTranslations('organizations'),
    readList(address, (place) => listOrganizations(ctx, { query: { ...query, ...place } })),
  ])
  const cardOf = (id: string) => `${address.path}/${id}`
  const amount = (counted: calls.Counted) => t('amount', toldCount(counted))
  const quiet = ({ count }: calls.Counted) => (count > 0 ? '' : 'text-ink-second')
  return (
    <ListTable
      cursor
      address={address}
      query={query}
      meta={meta}
      rows={organizations}
      caption={t('caption')}
      search={t('search')}
      filters={[
        {
          kind: 'choice',
          name: 'enabled',
          label: t('state'),
          options: [
            { value: 'true', label: t('enabledMany') },
            { value: 'false', label: t('disabledMany') },
          ],
        },
      ]}
      empty={{ title: t('emptyTitle'), text: t('emptyText'), action: mayWrite ? <CreateOrganization /> : null }}
      columns={[
        {
          title: true,
          by: 'name',
          label: t('name'),
          cell: (row) => (
            <Link href={cardOf(row.id)} prefetch={false} className="hover:underline">
              {localName(row, ctx.locale)}
            </Link>
          ),
        },
        { by: 'code', label: t('code'), cell: ({ code }) => (code ? <Mono>{code}</Mono> : t('none')) },
        {
          label: t('inn'),
          priority: 3,
          cell: ({ inn }) => (inn ? <span className="tabular-nums">{inn}</span> : t('none')),
        },
        {
          label: t('people'),
          align: 'right',
          className: ({ people }) => quiet(people),
          cell: ({ people }) => amount(people),
        },
        {
          label: t('contractors'),
          align: 'right',
          priority: 2,
          className: ({ contractors }) => quiet(contractors),
          cell: ({ contractors }) => amount(contractors),
        },
        {
          label: t('state'),
          cell: ({ enabled }) => <Pill tone={enabled ? 'ok' : 'neutral'}>{t(enabled ? 'on' : 'off')}</Pill>,
        },
        {
          by: 'updatedAt',
          first: 'desc',
          label: t('changed'),
          priority: 3,
          className: 'text-ink-second',
          cell: ({ updatedAt }) => <DateTime value={updatedAt} />,
        },
      ]}
      menu={(row) => (
        <OrganizationRowMenu
          organization={row}
          name={localName(row, ctx.locale)}
          href={cardOf(row.id)}
          mayWrite={mayWrite}
        />
      )}
    />
  )
}
