import { useTranslations } from 'next-intl'
import type { PasskeyFacts } from '@/lib/sign-in/factors/passkey/credential'
import { DateTime } from '../ui/date-time'

/** A passkey in a list: its name, where it is, since when it is there, and when it was last used. */
export function PasskeyFactsLine({ passkey }: { passkey: PasskeyFacts }) {
  const t = useTranslations('account.passkeys')
  const { name, isSynced, since, usedAt } = passkey
  return (
    <div className="grid min-w-0 grow gap-1">
      <p className="wrap-anywhere min-w-0">{name}</p>
      <p className="text-ink-second text-note">
        {t(isSynced ? 'synced' : 'oneDevice')}
        {' · '}
        {t('since')} <DateTime value={since} form="date" />
        {' · '}
        {usedAt ? (
          <>
            {t('usedAt')} <DateTime value={usedAt} />
          </>
        ) : (
          t('neverUsed')
        )}
      </p>
    </div>
  )
}
