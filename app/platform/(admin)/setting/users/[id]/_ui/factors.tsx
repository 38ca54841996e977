import { getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { readUserFactors } from '@/lib/account-administration/user-factors/service'
import type { Ctx } from '@/lib/base/context/ctx'
import { ResetFactors } from './factor-parts'

/** The second factors of a person, and the button that removes them. */
export async function Factors({ ctx, id, mayReset }: { ctx: Ctx; id: string; mayReset: boolean }) {
  const [t, { authenticatorApp }] = await Promise.all([
    getTranslations('users.factors'),
    readUserFactors(ctx, { params: { id } }),
  ])
  const isOwn = id === ctx.user?.id
  return (
    <CardGroup title={t('title')} action={authenticatorApp && mayReset && !isOwn ? <ResetFactors id={id} /> : null}>
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
