import { getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Pill } from '@/components/ui/pill'
import { TextLink } from '@/components/ui/text-link'
import type { UserAgreement } from '@/lib/account-administration/card-links/contract'
import { listUserAgreements } from '@/lib/account-administration/card-links/service'
import type { Ctx } from '@/lib/base/context/ctx'

/** What a person agreed to, in which version and when. */
export async function Agreements({ ctx, id }: { ctx: Ctx; id: string }) {
  const [t, { agreements }] = await Promise.all([getTranslations('users'), listUserAgreements(ctx, { params: { id } })])
  const markOf = ({ agreedVersion, version }: UserAgreement) => {
    if (agreedVersion === null) return <Pill tone="danger">{t('agreementRefused')}</Pill>
    if (agreedVersion < version) return <Pill tone="warning">{t('agreementOld', { version: String(version) })}</Pill>
    return <Pill tone="ok">{t('agreementCurrent')}</Pill>
  }
  return (
    <CardGroup title={t('agreements')}>
      {agreements.length === 0 ? (
        <p className="rounded-card border border-line bg-surface px-4 py-3 text-ink-second">{t('noAgreements')}</p>
      ) : (
        <KeyValues>
          {agreements.map((agreement) => {
            const { id: key, code, title, agreedVersion, agreedAt, refusedAt } = agreement
            const answeredAt = agreedVersion === null ? refusedAt : agreedAt
            return (
              <KeyValue key={key} label={title}>
                {markOf(agreement)}
                {agreedVersion === null ? null : (
                  <TextLink href={`/platform/law/${code}`}>
                    {t('agreementVersion', { version: String(agreedVersion) })}
                  </TextLink>
                )}
                {answeredAt ? <DateTime value={answeredAt} /> : null}
              </KeyValue>
            )
          })}
        </KeyValues>
      )}
    </CardGroup>
  )
}
