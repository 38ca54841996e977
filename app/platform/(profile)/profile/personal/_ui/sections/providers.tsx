import { getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import { Alert } from '@/components/ui/alert'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import type { Ctx } from '@/lib/base/context/ctx'
import { listOwnProviders } from '@/lib/directory-sync/provider-sign-in/own'
import { LinkProvider, UnlinkProvider } from '../provider-parts'

/** The result of linking, from the parameter of the callback. */
const outcomeOf = (outcome: string) =>
  outcome === 'linked' ? 'linked' : outcome === 'taken' ? 'takenByOther' : 'notLinked'

/** The identity providers with which the person signs in, or can from now on; renders nothing if there are none. */
export async function Providers({ ctx, outcome }: { ctx: Ctx; outcome: string | undefined }) {
  const [t, { providers }] = await Promise.all([getTranslations('provider-sign-in'), listOwnProviders(ctx)])
  if (providers.length === 0) return null
  return (
    <CardGroup title={t('title')}>
      {outcome ? (
        <Alert tone={outcome === 'linked' ? 'ok' : 'warning'} role="status" className="mb-3">
          <p>{t(outcomeOf(outcome))}</p>
        </Alert>
      ) : null}
      <KeyValues>
        {providers.map(({ id, name, linked }) => (
          <KeyValue key={id} label={name} tall>
            <span className="grid justify-items-start gap-2">
              {linked ? (
                <span className="wrap-anywhere grid">
                  {linked.name}
                  <span className="text-ink-second text-note">
                    {t('linkedSince')} <DateTime value={linked.date} />
                  </span>
                </span>
              ) : (
                <span className="text-ink-second">{t('none')}</span>
              )}
              {linked ? <UnlinkProvider id={id} name={name} /> : <LinkProvider id={id} name={name} />}
            </span>
          </KeyValue>
        ))}
      </KeyValues>
    </CardGroup>
  )
}
