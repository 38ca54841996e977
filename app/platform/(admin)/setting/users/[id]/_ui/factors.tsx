import { getTranslations } from 'next-intl/server'
import { FactorFacts } from '@/components/card/factor-facts'
import { CardGroup } from '@/components/card/group'
import { readUserFactors } from '@/lib/account-administration/user-factors/service'
import type { Ctx } from '@/lib/base/context/ctx'
import { ResetFactors } from './factor-parts'

/** The authenticator app and the passkeys of a person, and the button that removes them. */
export async function Factors({ ctx, id, mayReset }: { ctx: Ctx; id: string; mayReset: boolean }) {
  const [t, { authenticatorApp, passkeys }] = await Promise.all([
    getTranslations('users.factors'),
    readUserFactors(ctx, { params: { id } }),
  ])
  const isOwn = id === ctx.user?.id
  const hasAny = authenticatorApp !== null || passkeys.length > 0
  return (
    <CardGroup title={t('title')} action={hasAny && mayReset && !isOwn ? <ResetFactors id={id} /> : null}>
      <FactorFacts app={authenticatorApp} passkeys={passkeys} />
    </CardGroup>
  )
}
