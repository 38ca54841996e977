import { getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import { PasskeyFactsLine } from '@/components/card/passkey-facts'
import type { Ctx } from '@/lib/base/context/ctx'
import { listOwnPasskeys } from '@/lib/my-account/passkeys/service'
import { platformSettings } from '@/lib/site/settings/service'
import { AddPasskey, PasskeyRowMenu, PasskeySignal } from '../passkey-parts'

/** The passkeys of the account. Renders nothing for people who neither have one nor could sign in with it. */
export async function Passkeys({ ctx }: { ctx: Ctx }) {
  const [t, tFactors, { passkeys, signIn, needs, signal }, { authCodeDigits: digits }] = await Promise.all([
    getTranslations('account.passkeys'),
    getTranslations('account.factors'),
    listOwnPasskeys(ctx),
    platformSettings(),
  ])
  if (!signIn && passkeys.length === 0) return null
  const note = signIn ? (needs ? null : tFactors('signInAgain')) : t('unused')
  return (
    <CardGroup
      title={t('title')}
      {...(note ? { note } : {})}
      {...(signIn && needs ? { action: <AddPasskey needs={needs} digits={digits} /> } : {})}
    >
      <PasskeySignal signal={signal} />
      {passkeys.length === 0 ? (
        <p className="rounded-card border border-line bg-surface px-4 py-3 text-ink-second">{t('noneText')}</p>
      ) : (
        <ul className="divide-y divide-line rounded-card border border-line bg-surface">
          {passkeys.map((passkey) => (
            <li key={passkey.id} className="flex items-center gap-3 py-2.5 pr-3 pl-4">
              <PasskeyFactsLine passkey={passkey} />
              <PasskeyRowMenu id={passkey.id} name={passkey.name} needs={needs} digits={digits} />
            </li>
          ))}
        </ul>
      )}
    </CardGroup>
  )
}
