import { getTranslations } from 'next-intl/server'
import { FactorFacts } from '@/components/card/factor-facts'
import { CardGroup } from '@/components/card/group'
import { PasskeyFactsLine } from '@/components/card/passkey-facts'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { readUserFactors } from '@/lib/account-administration/user-factors/service'
import type { Ctx } from '@/lib/base/context/ctx'
import { ResetFactors } from './factor-parts'

/** The authenticator app and the passkeys of a person, and the button that removes them. */
export async function Factors({ ctx, id, mayReset }: { ctx: Ctx; id: string; mayReset: boolean }) {
  const [t, tPasskeys, { authenticatorApp, passkeys }] = await Promise.all([
    getTranslations('account.factors'),
    getTranslations('account.passkeys'),
    readUserFactors(ctx, { params: { id } }),
  ])
  const isOwn = id === ctx.user?.id
  const hasAny = authenticatorApp !== null || passkeys.length > 0
  return (
    <CardGroup title={t('title')} action={hasAny && mayReset && !isOwn ? <ResetFactors id={id} /> : null}>
      <FactorFacts app={authenticatorApp} />
      <KeyValues>
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
      </KeyValues>
    </CardGroup>
  )
}
