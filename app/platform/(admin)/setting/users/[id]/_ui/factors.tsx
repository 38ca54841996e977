import { getTranslations } from 'next-intl/server'
import { FactorFacts } from '@/components/card/factor-facts'
import { CardGroup } from '@/components/card/group'
import { readUserFactors } from '@/lib/account-administration/user-factors/service'
import type { Ctx } from '@/lib/base/context/ctx'
import { ResetFactors } from './factor-parts'

/** The second factors of a person, and the button that removes them. */
export async function Factors({ ctx, id, mayReset }: { ctx: Ctx; id: string; mayReset: boolean }) {
  const [t, { authenticatorApp }] = await Promise.all([
    getTranslations('account.factors'),
    readUserFactors(ctx, { params: { id } }),
  ])
  const isOwn = id === ctx.user?.id
  return (
    <CardGroup title={t('title')} action={authenticatorApp && mayReset && !isOwn ? <ResetFactors id={id} /> : null}>
      <FactorFacts app={authenticatorApp} />
    </CardGroup>
  )
}
