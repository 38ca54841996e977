import { getTranslations } from 'next-intl/server'
import type { z } from 'zod'
import { RowLink } from '@/components/list/columns'
import { ListTable } from '@/components/list/list-table'
import { DateTime } from '@/components/ui/date-time'
import { Pill } from '@/components/ui/pill'
import { holdsMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { wordsOf } from '@/lib/base/i18n/words'
import type { ListAddress } from '@/lib/base/lists/list-address'
import { cardPath } from '@/lib/base/navigation/screens'
import { type VersionQuery, versionStatuses } from '@/lib/operations/diagnostics/contract'
import { listVersions } from '@/lib/operations/diagnostics/service'

type Props = { ctx: Ctx; query: z.output<typeof VersionQuery>; address: ListAddress }

const tones = { current: 'ok', uncompared: 'neutral', outdated: 'warning', unknown: 'neutral' } as const

/** The versions of the platform's parts and of applications. */
export async function Versions({ ctx, query, address }: Props) {
  const [t, errors, { versions, meta }] = await Promise.all([
    getTranslations('diagnostics'),
    getTranslations('monitoring.errors').then(wordsOf),
    listVersions(ctx, { query }),
  ])
  const mayOpen = holdsMethod(ctx, 'applications.read')
  const whyNot = (error: string | null) => {
    if (error === null) return t('noAddress')
    if (error === 'noVersion') return t('noVersion')
    return errors.has(error) ? errors(error) : error
  }
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      rows={versions}
      caption={t('caption')}
      filters={[
        { kind: 'text', name: 'application', label: t('application'), hint: t('search') },
        {
          kind: 'choice',
          name: 'status',
          label: t('status'),
          options: versionStatuses.map((value) => ({ value, label: t(`statuses.${value}`) })),
        },
      ]}
      empty={{ title: t('emptyTitle'), text: t('emptyText') }}
      columns={[
        {
          title: true,
          by: 'application',
          label: t('application'),
          cell: ({ application, applicationId }) => (
            <RowLink href={applicationId && mayOpen ? cardPath('PlatformApplication', applicationId) : undefined}>
              {application}
            </RowLink>
          ),
        },
        {
          label: t('version'),
          className: 'tabular-nums',
          cell: ({ version, error, checkedAt, applicationId }) => (
            <>
              {version ?? '—'}
              {error || (!version && applicationId && !checkedAt) ? (
                <span className="block text-ink-second text-note">{whyNot(error)}</span>
              ) : null}
            </>
          ),
        },
        {
          label: t('recommended'),
          className: 'tabular-nums',
          cell: ({ recommendVersion }) => (recommendVersion ? t('atLeast', { version: recommendVersion }) : '—'),
        },
        {
          by: 'status',
          first: 'desc',
          label: t('status'),
          cell: ({ status }) => <Pill tone={tones[status]}>{t(`statuses.${status}`)}</Pill>,
        },
        {
          label: t('checkedAt'),
          priority: 2,
          className: 'text-ink-second',
          cell: ({ checkedAt }) => (checkedAt ? <DateTime value={checkedAt} /> : '—'),
        },
      ]}
    />
  )
}
