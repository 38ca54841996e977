import { getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import { DateTime } from '@/components/ui/date-time'
import { Mono } from '@/components/ui/mono'
import { listUserBrowsers } from '@/lib/account-administration/card-links/service'
import type { Ctx } from '@/lib/base/context/ctx'
import { ForgetBrowser } from './forget-browser'

/** The known browsers of an account: what blocks its codes in other browsers doesn't block them in these. */
export async function Browsers({ ctx, id, mayForget }: { ctx: Ctx; id: string; mayForget: boolean }) {
  const [t, { browsers }] = await Promise.all([getTranslations('users'), listUserBrowsers(ctx, { params: { id } })])
  return (
    <CardGroup title={t('browsers')} note={t('browsersNote')}>
      {browsers.length === 0 ? (
        <p className="rounded-card border border-line bg-surface px-4 py-3 text-ink-second">{t('noBrowsers')}</p>
      ) : (
        <ul className="divide-y divide-line rounded-card border border-line bg-surface">
          {browsers.map(({ id: browserId, browser, system, ip, firstSeen, lastSeen }) => {
            const name = [browser, system].filter(Boolean).join(', ') || t('unknownDevice')
            return (
              <li key={browserId} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
                <span className="grid min-w-0 flex-1 basis-64 gap-0.5">
                  <span className="wrap-anywhere">{name}</span>
                  <span className="text-ink-second text-note">
                    {t.rich('browserSeen', {
                      last: () => <DateTime value={lastSeen} />,
                      first: () => <DateTime value={firstSeen} />,
                    })}
                  </span>
                </span>
                <Mono>{ip}</Mono>
                {mayForget ? <ForgetBrowser id={id} browserId={browserId} name={name} /> : null}
              </li>
            )
          })}
        </ul>
      )}
    </CardGroup>
  )
}
