import { getTranslations } from 'next-intl/server'
import { ListTable } from '@/components/list/list-table'
import { Mono } from '@/components/ui/mono'
import { Pill } from '@/components/ui/pill'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { ListAddress } from '@/lib/base/lists/list-address'
import type * as calls from '@/lib/messaging/locale-texts/contract'
import { listLocaleTexts } from '@/lib/messaging/locale-texts/service'
import { readList } from '@/lib/request/list-page'
import { TextRowMenu } from './text-parts'

type Props = {
  ctx: Ctx
  id: string
  /** The code of the language. */
  lang: string
  address: ListAddress
  query: ServiceInput<typeof calls.listLocaleTexts>['query']
  mayWrite: boolean
}

/** The texts with their search, filter and pager. */
export async function Texts({ ctx, id, lang, address, query, mayWrite }: Props) {
  const [t, { texts, meta }] = await Promise.all([
    getTranslations('locale-texts'),
    readList(address, (place) => listLocaleTexts(ctx, { params: { id }, query: { ...query, ...place } })),
  ])
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      rows={texts.map((text) => ({ ...text, id: text.key }))}
      caption={t('caption')}
      search={t('search')}
      filters={[
        {
          kind: 'choice',
          name: 'state',
          label: t('state'),
          options: (['own', 'missing'] as const).map((value) => ({ value, label: t(`states.${value}`) })),
        },
      ]}
      columns={[
        {
          title: true,
          by: 'key',
          label: t('key'),
          cell: ({ key }) => (
            <span className="font-normal">
              <Mono>{key}</Mono>
            </span>
          ),
        },
        {
          label: t('source'),
          priority: 2,
          whole: true,
          cell: ({ source }) => (
            <span lang="ru" className="wrap-anywhere line-clamp-3 whitespace-pre-line">
              {source}
            </span>
          ),
        },
        {
          label: t('text'),
          whole: true,
          cell: ({ text, shipped }) => (
            <span className="grid justify-items-start gap-1">
              {text === null && shipped === null ? (
                <Pill tone="warning">{t('states.missing')}</Pill>
              ) : (
                <span lang={lang} className="wrap-anywhere line-clamp-3 whitespace-pre-line">
                  {text ?? shipped}
                </span>
              )}
              {text === null ? null : <Pill tone="info">{t('states.own')}</Pill>}
            </span>
          ),
        },
      ]}
      menu={mayWrite ? (text) => <TextRowMenu id={id} text={text} name={text.key} lang={lang} /> : undefined}
    />
  )
}
