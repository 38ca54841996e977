import { getTranslations } from 'next-intl/server'
import type { z } from 'zod'
import { CardList } from '@/components/card/card-list'
import { ListTable } from '@/components/list/list-table'
import { DateTime } from '@/components/ui/date-time'
import { Mono } from '@/components/ui/mono'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ListAddress } from '@/lib/base/lists/list-address'
import { readList } from '@/lib/request/list-page'
import type { SessionQuery } from '@/lib/sign-in/own-sessions/contract'
import { listUserSessions } from '@/lib/sign-in/sessions-of-users/service'
import { EndSession } from './end-session'

type Props = { ctx: Ctx; id: string; mayEnd: boolean; query: z.output<typeof SessionQuery>; address: ListAddress }

/** The sessions of a person. */
export function Sessions(props: Props) {
  return (
    <CardList columns={4}>
      <Read {...props} />
    </CardList>
  )
}

async function Read({ ctx, id, mayEnd, query, address }: Props) {
  const [t, { sessions, meta }] = await Promise.all([
    getTranslations('users'),
    readList(address, (place) => listUserSessions(ctx, { params: { id }, query: { ...query, ...place } })),
  ])
  const nameOf = ({ device }: (typeof sessions)[number]) =>
    [device.browser, device.system].filter(Boolean).join(', ') || t('unknownDevice')
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      cursor
      rows={sessions}
      caption={t('sessionsCaption')}
      empty={{ title: t('sessionsEmptyTitle'), text: t('sessionsEmptyText') }}
      columns={[
        { title: true, label: t('device'), cell: nameOf },
        { label: t('address'), cell: ({ ip }) => <Mono>{ip}</Mono> },
        { by: 'start', first: 'desc', label: t('start'), priority: 2, cell: ({ start }) => <DateTime value={start} /> },
        {
          by: 'lastAccess',
          first: 'desc',
          label: t('lastAccess'),
          cell: ({ lastAccess }) => <DateTime value={lastAccess} />,
        },
      ]}
      menu={mayEnd ? (session) => <EndSession id={id} sessionId={session.id} name={nameOf(session)} /> : undefined}
    />
  )
}
