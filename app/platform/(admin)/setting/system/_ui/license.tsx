import { getFormatter, getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { CardGroup } from '@/components/card/group'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Mono } from '@/components/ui/mono'
import { Pill } from '@/components/ui/pill'
import type { Ctx } from '@/lib/base/context/ctx'
import { countLicenseSessions, readLicenseInfo } from '@/lib/operations/license/service'
import { AddLicense, LicenseActions, ReadLicense } from './license-actions'

const tones = { valid: 'ok', expired: 'danger', invalid: 'danger' } as const

const Actions = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap gap-2">
    <ReadLicense />
    {children}
  </div>
)

/** The license, and how many sessions are active now. */
export async function License({ ctx, mayWrite }: { ctx: Ctx; mayWrite: boolean }) {
  const [t, format, { form, info, checkable }, { count }] = await Promise.all([
    getTranslations('license'),
    getFormatter(),
    readLicenseInfo(ctx),
    countLicenseSessions(ctx),
  ])
  const day = (value: string) => format.dateTime(new Date(value), { day: 'numeric', month: 'long', year: 'numeric' })
  const active = (
    <KeyValue label={t('active')}>
      <span className="tabular-nums">{format.number(count)}</span>
      {info?.sessions && count > info.sessions ? <span className="text-danger">{t('over')}</span> : null}
    </KeyValue>
  )
  if (!info)
    return (
      <CardGroup title={t('title')} action={<Actions>{mayWrite && checkable ? <AddLicense /> : null}</Actions>}>
        <p className="rounded-card border border-line bg-surface px-4 py-3">
          {t(checkable ? 'none' : 'noneUnavailable')}
        </p>
        <KeyValues>{active}</KeyValues>
      </CardGroup>
    )
  return (
    <CardGroup
      title={t('title')}
      action={<Actions>{mayWrite ? <LicenseActions owner={info.owner} domain={form.domain} /> : null}</Actions>}
    >
      <KeyValues>
        <KeyValue label={t('state')}>
          <Pill tone={tones[info.state]}>{t(`states.${info.state}`)}</Pill>
        </KeyValue>
        <KeyValue label={t('owner')}>{info.owner}</KeyValue>
        <KeyValue label={t('domain')}>{info.domain}</KeyValue>
        <KeyValue label={t('key')}>
          <Mono>{form.key}</Mono>
        </KeyValue>
        <KeyValue label={t('expiresAt')}>{info.expiresAt ? day(info.expiresAt) : t('forever')}</KeyValue>
        <KeyValue label={t('sessions')}>{info.sessions ? format.number(info.sessions) : t('any')}</KeyValue>
        {active}
        <KeyValue label={t('checkedAt')}>{day(info.checkedAt)}</KeyValue>
      </KeyValues>
    </CardGroup>
  )
}
