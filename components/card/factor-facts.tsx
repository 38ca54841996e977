import { useTranslations } from 'next-intl'
import type { PasskeyFacts } from '@/lib/sign-in/factors/passkey/credential'
import type { AppFacts } from '@/lib/sign-in/factors/totp/facts'
import { DateTime } from '../ui/date-time'
import { KeyValue, KeyValues } from '../ui/key-values'
import { PasskeyFactsLine } from './passkey-facts'

/** The authenticator app of a person and how many recovery codes are left, and the passkeys if they are given. */
export function FactorFacts({ app, passkeys }: { app: AppFacts | null; passkeys?: readonly PasskeyFacts[] }) {
  const t = useTranslations('account.factors')
  const tPasskeys = useTranslations('account.passkeys')
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
      {passkeys ? (
        <KeyValue label={tPasskeys('title')} tall={passkeys.length > 0}>
          {passkeys.length === 0 ? (
            tPasskeys('none')
          ) : (
            <span className="grid gap-2">
              {passkeys.map((passkey) => (
                <PasskeyFactsLine key={passkey.id} passkey={passkey} />
              ))}
            </span>
          )}
        </KeyValue>
      ) : null}
    </KeyValues>
  )
}
