import { getTranslations } from 'next-intl/server'
import type { z } from 'zod'
import { CardList } from '@/components/card/card-list'
import { ListTable } from '@/components/list/list-table'
import { AddressText } from '@/components/ui/address-text'
import { DateTime } from '@/components/ui/date-time'
import { Pill } from '@/components/ui/pill'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ListAddress } from '@/lib/base/lists/list-address'
import type { UserMessageQuery } from '@/lib/operations/account-limits/contract'
import { listUserMessages } from '@/lib/operations/account-limits/service'
import { readList } from '@/lib/request/list-page'

type Props = { ctx: Ctx; id: string; query: z.output<typeof UserMessageQuery>; address: ListAddress }

const tones = { queued: 'neutral', sent: 'ok', failed: 'danger', dropped: 'neutral' } as const

/** Mails and SMS to a person, with their delivery. */
export function Messages(props: Props) {
  return (
    <CardList columns={4}>
      <Read {...props} />
    </CardList>
  )
}

async function Read({ ctx, id, query, address }: Props) {
  const [t, { messages, meta }] = await Promise.all([
    getTranslations('users'),
    readList(address, (place) => listUserMessages(ctx, { params: { id }, query: { ...query, ...place } })),
  ])
  const subjectOf = (template: string) => {
    const key = `templates.${template}` as 'templates.test'
    return t.has(key) ? t(key) : template
  }
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      cursor
      rows={messages}
      caption={t('messagesCaption')}
      empty={{ title: t('messagesEmptyTitle'), text: t('messagesEmptyText') }}
      columns={[
        { title: true, label: t('message'), cell: ({ template }) => subjectOf(template) },
        {
          label: t('recipient'),
          whole: true,
          cell: ({ kind, recipient }) => (kind === 'email' ? <AddressText>{recipient}</AddressText> : recipient),
        },
        { label: t('outcome'), cell: ({ status }) => <Pill tone={tones[status]}>{t(`outcomes.${status}`)}</Pill> },
        {
          by: 'createdAt',
          first: 'desc',
          label: t('when'),
          priority: 2,
          cell: ({ createdAt }) => <DateTime value={createdAt} />,
        },
      ]}
    />
  )
}
