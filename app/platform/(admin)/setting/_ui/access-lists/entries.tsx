import { getTranslations } from 'next-intl/server'
import { changedColumn, Noted } from '@/components/list/columns'
import { ListTable } from '@/components/list/list-table'
import { Mono } from '@/components/ui/mono'
import { Pill } from '@/components/ui/pill'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { AccessListName, listWhitelist as contract, Entry } from '@/lib/network/access-lists/contract'
import { listBlacklist, listWhitelist } from '@/lib/network/access-lists/entries'
import { type ListContext, readList } from '@/lib/request/list-page'
import { CreateEntry, EntryRowMenu } from './entry-parts'
import { Period } from './period'

/** What an entry does now, by its switch and its dates. */
function stateOf({ enabled, dateFrom, dateTo }: Entry, now: number) {
  if (!enabled) return 'off'
  if (dateTo && Date.parse(dateTo) < now) return 'ended'
  return dateFrom && Date.parse(dateFrom) > now ? 'planned' : 'active'
}

const tones = { planned: 'info', ended: 'neutral', off: 'neutral' } as const

type Props = ServiceInput<typeof contract> & ListContext & { list: AccessListName }

/** The entries of a list with their search, filters and pager. */
export async function Entries({ ctx, query, address, mayWrite, chosenColumns, list }: Props) {
  const read = list === 'whitelist' ? listWhitelist : listBlacklist
  const [t, tl, { accesses, meta }] = await Promise.all([
    getTranslations('access-lists'),
    getTranslations(list as 'whitelist'),
    readList(address, (place) => read(ctx, { query: { ...query, ...place } })),
  ])
  const now = ctx.now().getTime()
  const nameOf = ({ aliasName, ip }: Entry) => aliasName ?? ip ?? ''
  const active = list === 'whitelist' ? 'ok' : 'danger'
  return (
    <ListTable
      cursor
      address={address}
      query={query}
      meta={meta}
      rows={accesses}
      chosenColumns={chosenColumns}
      caption={tl('caption')}
      search={t('search')}
      filters={[
        { kind: 'yesNo', name: 'enabled', label: t('enabled') },
        { kind: 'text', name: 'ip', label: t('subnet'), hint: '10.0.0.0/8' },
      ]}
      empty={{
        title: tl('emptyTitle'),
        text: tl('emptyText'),
        action: mayWrite ? <CreateEntry list={list} /> : null,
      }}
      columns={[
        {
          title: true,
          label: t('entry'),
          cell: ({ ip, aliasName, comment }) => <Noted note={comment}>{aliasName ?? <Mono>{ip}</Mono>}</Noted>,
        },
        {
          label: t('state'),
          cell: (entry) => {
            const state = stateOf(entry, now)
            return <Pill tone={state === 'active' ? active : tones[state]}>{t(`states.${state}`)}</Pill>
          },
        },
        {
          by: 'date',
          first: 'desc',
          label: t('period'),
          cell: ({ dateFrom, dateTo }) => <Period dateFrom={dateFrom} dateTo={dateTo} />,
        },
        changedColumn(t('changed')),
      ]}
      menu={mayWrite ? (entry) => <EntryRowMenu list={list} entry={entry} name={nameOf(entry)} /> : undefined}
    />
  )
}
