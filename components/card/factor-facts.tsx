import { useTranslations } from 'next-intl'
import type { AppFacts } from '@/lib/sign-in/factors/totp/facts'
import { DateTime } from '../ui/date-time'
import { KeyValue, KeyValues } from '../ui/key-values'

/** The second factors of a person: the authenticator app, and how many recovery codes are left. */
export function FactorFacts({ app }: { app: AppFacts | null }) {
  const t = useTranslations('account.factors')
  return (
    <KeyValues>
      <KeyValue label={t('app')}>
        {app ? (
          <span>
            {t('since')} <DateTime value={app.since} />
          </span>
        ) : (
          t('none')
        )}
      </KeyValue>
      {app ? <KeyValue label={t('codes')}>{t('codesLeft', { count: app.recoveryCodes })}</KeyValue> : null}
    </KeyValues>
  )
}
