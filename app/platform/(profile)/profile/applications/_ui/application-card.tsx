import { getTranslations } from 'next-intl/server'
import { DateTime } from '@/components/ui/date-time'
import { Pill } from '@/components/ui/pill'
import type { UserApplication } from '@/lib/openid/consents/contract'
import { namedScopes } from '@/lib/openid/consents/scopes'
import { Withdraw } from './withdraw'

/** One application: its name, the data that it gets, and since when. */
export async function ApplicationCard({ application, name }: { application: UserApplication; name: string }) {
  const [t, tConsent] = await Promise.all([getTranslations('user-applications'), getTranslations('consent')])
  const { id, url, type, scopes, since, lastUsed } = application
  const host = url && URL.canParse(url) ? new URL(url).host : null
  const isOwn = type === 'own'
  return (
    <article aria-label={name} className="rounded-card border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3 p-4 @min-[40rem]:px-5">
        <div className="grid min-w-0 grow basis-40 gap-1">
          <h2 className="wrap-anywhere flex flex-wrap items-center gap-x-2.5 gap-y-1 font-semibold">
            {name}
            <Pill tone={isOwn ? 'neutral' : 'info'}>{t(isOwn ? 'ownMark' : 'externalMark')}</Pill>
          </h2>
          {host ? <p className="wrap-anywhere text-ink-second text-note">{host}</p> : null}
        </div>
        <div className="@max-[28rem]:w-full @max-[28rem]:*:w-full">
          <Withdraw id={id} application={name} own={isOwn} />
        </div>
      </div>
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,11rem),1fr))] gap-x-5 gap-y-3 border-line border-t px-4 py-3.5 @min-[40rem]:px-5">
        <div className="col-span-full grid gap-1">
          <dt className="text-ink-second text-note">{t('sees')}</dt>
          <dd className="text-table">
            <ul className="flex flex-wrap gap-1.5">
              {namedScopes(scopes).map((scope) => (
                <li key={scope} className="rounded-pill border border-line px-2 py-0.5">
                  {tConsent(`scopes.${scope}.short`)}
                </li>
              ))}
            </ul>
          </dd>
        </div>
        {since ? (
          <div className="grid content-start gap-0.5">
            <dt className="text-ink-second text-note">{t('since')}</dt>
            <dd className="text-table tabular-nums">
              <DateTime value={since} />
            </dd>
          </div>
        ) : null}
        <div className="grid content-start gap-0.5">
          <dt className="text-ink-second text-note">{t('lastUsed')}</dt>
          <dd className="text-table tabular-nums">{lastUsed ? <DateTime value={lastUsed} /> : t('never')}</dd>
        </div>
      </dl>
    </article>
  )
}
