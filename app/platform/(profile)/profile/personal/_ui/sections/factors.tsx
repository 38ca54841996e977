import { getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import type { Ctx } from '@/lib/base/context/ctx'
import { readOwnFactors } from '@/lib/my-account/factors/service'
import { platformSettings } from '@/lib/site/settings/service'
import { FactorActions } from '../factor-parts'

/** The second factors of the account: the authenticator app and its recovery codes. */
export async function Factors({ ctx }: { ctx: Ctx }) {
  const [t, { authenticatorApp, needs }, { authCodeDigits: digits }] = await Promise.all([
    getTranslations('account.factors'),
    readOwnFactors(ctx),
    platformSettings(),
  ])
  return (
    <CardGroup
      title={t('title')}
      {...(needs
        ? {
            action: (
              <FactorActions
                hasApp={authenticatorApp !== null}
                login={ctx.user?.login ?? ''}
                needs={needs}
                digits={digits}
              />
            ),
          }
        : { note: t('signInAgain') })}
    >
      <KeyValues>
        <KeyValue label={t('app')}>
          {authenticatorApp ? (
            <span>
              {t('since')} <DateTime value={authenticatorApp.since} />
            </span>
          ) : (
            t('none')
          )}
        </KeyValue>
        {authenticatorApp ? (
          <KeyValue label={t('codes')}>{t('codesLeft', { count: authenticatorApp.recoveryCodes })}</KeyValue>
        ) : null}
      </KeyValues>
    </CardGroup>
  )
}
