import { getTranslations } from 'next-intl/server'
import { RowLink } from '@/components/list/columns'
import { ListTable } from '@/components/list/list-table'
import { Pills } from '@/components/ui/pills'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { wordsOf } from '@/lib/base/i18n/words'
import { cardPath } from '@/lib/base/navigation/screens'
import type * as calls from '@/lib/messaging/message-texts/contract'
import { listMessageTexts } from '@/lib/messaging/message-texts/service'
import { type ListContext, readList } from '@/lib/request/list-page'
import { searchLocales } from '@/lib/site/locales/service'

type Props = ServiceInput<typeof calls.listMessageTexts> & Pick<ListContext, 'ctx' | 'address'>

/** The messages with their search and filters, and the domains and languages in which each has own texts. */
export async function MessageList({ ctx, query, address }: Props) {
  const [t, { messages, meta }, { locales }] = await Promise.all([
    getTranslations('message-texts'),
    readList(address, (place) => listMessageTexts(ctx, { query: { ...query, ...place } })),
    searchLocales(ctx, { query: {} }),
  ])
  const names = wordsOf(t)
  const nameOf = (id: string) => locales.find((locale) => locale.id === id)?.name ?? ''
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      rows={messages}
      caption={t('caption')}
      search={t('search')}
      filters={[
        {
          kind: 'choice',
          name: 'kind',
          label: t('kind'),
          options: (['mail', 'sms'] as const).map((value) => ({ value, label: t(`kinds.${value}`) })),
        },
        {
          kind: 'choice',
          name: 'own',
          label: t('own'),
          options: (['language', 'domain'] as const).map((value) => ({ value, label: t(`ownOf.${value}`) })),
        },
      ]}
      columns={[
        {
          title: true,
          label: t('message'),
          cell: ({ id }) => <RowLink href={cardPath('PlatformLibrariesMessage', id)}>{names(`names.${id}`)}</RowLink>,
        },
        { label: t('kind'), cell: ({ kind }) => t(`kinds.${kind}`) },
        {
          label: t('own'),
          whole: true,
          cell: ({ own }) => {
            const languages = own.filter(({ domainId }) => domainId === null)
            const domains = new Set(own.flatMap(({ domainId }) => domainId ?? [])).size
            const of = languages.map(({ localeId, count }) => ({
              text: t('ownIn', { language: nameOf(localeId), count }),
              tone: 'info' as const,
            }))
            if (domains > 0) of.push({ text: t('ownInDomains', { count: domains }), tone: 'info' })
            return own.length > 0 ? (
              <Pills of={of} none="" />
            ) : (
              <span className="text-ink-second">{t('shippedOnly')}</span>
            )
          },
        },
      ]}
    />
  )
}
