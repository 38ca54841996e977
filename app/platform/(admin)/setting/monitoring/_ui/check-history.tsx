import { getFormatter, getTranslations } from 'next-intl/server'
import { ListLink } from '@/components/list/list'
import { cn } from '@/components/ui/cn'
import { tabLook, tabsLook } from '@/components/ui/tab-look'
import type { Ctx } from '@/lib/base/context/ctx'
import { wordsOf } from '@/lib/base/i18n/words'
import type { ListAddress } from '@/lib/base/lists/list-address'
import { AppError } from '@/lib/base/runtime/errors'
import { type ChartPart, chartHours } from '@/lib/operations/monitoring/contract'
import { readCheckHistory } from '@/lib/operations/monitoring/service'
import { historyHref } from './history-href'
import { ResponseChart } from './response-chart'

type Hours = (typeof chartHours)[number]

/** Returns the period that an address names, by default a day. */
export const hoursIn = (text: string | undefined): Hours =>
  chartHours.find((hours) => String(hours) === text) ?? chartHours[0]

type Props = { ctx: Ctx; id: string; hours: Hours; address: ListAddress }

/** Returns the history of a check; null for a check that no longer exists: the list shows the existing ones. */
async function read(ctx: Ctx, id: string, hours: Hours) {
  try {
    return await readCheckHistory(ctx, { params: { id }, query: { hours } })
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return null
    throw error
  }
}

/** The answers of one check: a chart, and the same as a table. */
export async function CheckHistory({ ctx, id, hours, address }: Props) {
  const [t, format, history] = await Promise.all([getTranslations('monitoring'), getFormatter(), read(ctx, id, hours)])
  if (!history) return null
  const words = wordsOf(t)
  const { key, application, parts } = history
  const name = application ?? words(`kinds.${key}`)
  const timeText = ({ at }: Pick<ChartPart, 'at'>) =>
    format.dateTime(
      new Date(at),
      hours === 24 ? { hour: 'numeric', minute: '2-digit' } : { day: 'numeric', month: 'short' },
    )
  const took = (ms: number | null) => {
    if (ms === null) return '—'
    const options = { style: 'unit', unitDisplay: 'short' } as const
    if (ms < 1_000) return format.number(ms, { ...options, unit: 'millisecond' })
    return format.number(ms / 1_000, { ...options, unit: 'second', maximumFractionDigits: 2 })
  }
  const checkedParts = parts.filter(({ checks }) => checks > 0).toReversed()
  return (
    <section
      id="check-history"
      aria-labelledby="check-history-title"
      className="@container grid min-w-0 scroll-mt-20 grid-cols-[minmax(0,1fr)] gap-4 rounded-card border border-line bg-surface p-4 sm:p-5"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h2 id="check-history-title" className="wrap-anywhere min-w-0 text-section">
          {t('history', { name })}
        </h2>
        <nav aria-label={t('range')} className={tabsLook}>
          {chartHours.map((each) => (
            <ListLink
              key={each}
              href={historyHref(address, id, each)}
              aria-current={each === hours ? 'page' : undefined}
              className={cn(tabLook)}
            >
              {words(`hours.${each}`)}
            </ListLink>
          ))}
        </nav>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 @min-[56rem]:grid-cols-[minmax(0,1fr)_20rem]">
        <ResponseChart
          parts={parts}
          ticks={took}
          first={parts[0] ? timeText(parts[0]) : ''}
          last={t('now')}
          failed={t('noAnswer')}
        />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
        <section aria-label={t('chartTable')} tabIndex={0} className="max-h-64 overflow-y-auto">
          <table className="w-full text-table tabular-nums">
            <caption className="sr-only">{t('chartTable')}</caption>
            <thead className="sticky top-0 bg-surface text-left text-ink-second text-note">
              <tr>
                {[t(hours === 24 ? 'hour' : 'dayHead'), t('mean'), t('worst'), t('failures')].map((head, at) => (
                  <th
                    key={head}
                    scope="col"
                    className={cn('border-line border-b py-1.5 font-medium', at > 0 && 'pl-2 text-right')}
                  >
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {checkedParts.map((part) => (
                <tr key={part.at}>
                  <th scope="row" className="border-line border-b py-1.5 text-left font-normal">
                    {timeText(part)}
                  </th>
                  <td className="border-line border-b py-1.5 pl-2 text-right">{took(part.mean)}</td>
                  <td className="border-line border-b py-1.5 pl-2 text-right">{took(part.worst)}</td>
                  <td
                    className={cn(
                      'border-line border-b py-1.5 pl-2 text-right',
                      part.failures > 0 && 'font-semibold text-danger',
                    )}
                  >
                    {format.number(part.failures)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </div>
    </section>
  )
}
