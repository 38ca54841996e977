import { getTranslations } from 'next-intl/server'
import { ListExport } from '@/components/export/list-export'
import { Acts } from '@/components/history/acts'
import { fieldOptions } from '@/components/history/field-options'
import { ListBody } from '@/components/list/list'
import { ListEmpty } from '@/components/list/list-empty'
import { ListFilters } from '@/components/list/list-filters'
import { ListSearch } from '@/components/list/list-search'
import { ListTools } from '@/components/list/list-tools'
import { Pager } from '@/components/list/pager'
import type { Ctx } from '@/lib/base/context/ctx'
import { wordsOf } from '@/lib/base/i18n/words'
import type { ListAddress } from '@/lib/base/lists/list-address'
import { historyTypes, type WholeHistoryInput } from '@/lib/operations/history/contract'
import { wholeHistory } from '@/lib/operations/history/service'
import { readList } from '@/lib/request/list-page'

/** Returns blocks as options: those with one code are filtered together. */
const blockOptions = (blocks: readonly { code: string; title: string }[]) =>
  [...new Set(blocks.map(({ code }) => code))].map((value) => {
    const titles = blocks.flatMap(({ code, title }) => (code === value ? [title] : []))
    return { value, label: [...new Set(titles)].join(' / ') }
  })

type Props = { ctx: Ctx; query: WholeHistoryInput; address: ListAddress }

/** The audit events of all areas with search, filters and pager. */
export async function WholeHistory({ ctx, query, address }: Props) {
  const [t, tHistory, tAll, { acts, names, seen, fields, blocks, chosen, meta }] = await Promise.all([
    getTranslations('whole-history'),
    getTranslations('history'),
    getTranslations(),
    readList(address, (place) => wholeHistory(ctx, { ...query, ...place })),
  ])
  const words = wordsOf(tAll)
  const byLabel = (a: { label: string }, b: { label: string }) => a.label.localeCompare(b.label, ctx.locale)
  return (
    <>
      <ListTools>
        <ListSearch address={address} label={t('search')} />
        <ListFilters
          address={address}
          filters={[
            { kind: 'dates', name: 'date', label: t('date'), from: 'dateFrom', to: 'dateTo' },
            {
              kind: 'many',
              name: 'entity',
              label: t('object'),
              options: seen.map((value) => ({ value, label: tHistory(`entities.${value}`) })).toSorted(byLabel),
            },
            {
              kind: 'choice',
              name: 'param',
              label: t('param'),
              options: fieldOptions(fields, words).toSorted(byLabel),
            },
            ...(blocks.length > 0
              ? [{ kind: 'choice' as const, name: 'subtype', label: t('subtype'), options: blockOptions(blocks) }]
              : []),
            {
              kind: 'remote',
              name: 'changer',
              label: t('who'),
              of: 'changers',
              fixed: [{ value: 'platform', label: tHistory('view.platform') }],
              chosen: chosen ? [{ value: chosen.id, label: chosen.name }] : [],
            },
            {
              kind: 'many',
              name: 'type',
              label: t('type'),
              options: historyTypes.map((value) => ({ value, label: tHistory(`view.types.${value}`) })),
            },
            { kind: 'text', name: 'ip', label: t('ip'), hint: t('ipHint') },
          ]}
        />
        {acts.length > 0 ? <ListExport address={address} path="/setting/history/export" /> : null}
      </ListTools>
      <ListBody>
        {acts.length === 0 ? (
          <ListEmpty address={address} meta={meta} title={t('emptyTitle')} text={t('emptyText')} />
        ) : (
          <Acts acts={acts} names={names} />
        )}
      </ListBody>
      <Pager
        cursor
        address={address}
        meta={meta}
        steps={{ back: tHistory('view.newer'), forward: tHistory('view.older') }}
      />
    </>
  )
}
