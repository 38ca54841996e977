import { getTranslations } from 'next-intl/server'
import { FactorFacts } from '@/components/card/factor-facts'
import { CardGroup } from '@/components/card/group'
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
      <FactorFacts app={authenticatorApp} />
    </CardGroup>
  )
}
