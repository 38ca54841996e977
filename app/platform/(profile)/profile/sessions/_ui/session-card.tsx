import { ChevronRight, Monitor, Smartphone, Tablet } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { SignOut } from '@/components/shell/sign-out'
import { DateTime } from '@/components/ui/date-time'
import { Mono } from '@/components/ui/mono'
import { Pill } from '@/components/ui/pill'
import type { Session } from '@/lib/sign-in/own-sessions/contract'
import { EndOne } from './end-one'

const icons: Record<string, typeof Monitor> = { mobile: Smartphone, tablet: Tablet }

// if there is room, a time and its zone have one line
const facts =
  'grid grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] gap-x-5 gap-y-3 @min-[40rem]:grid-cols-[repeat(auto-fill,minmax(12rem,1fr))]'

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-0.5">
      <dt className="text-ink-second text-note">{label}</dt>
      <dd className="text-table tabular-nums">{children}</dd>
    </div>
  )
}

type Props = {
  session: Session
  /** The name of the device type. */
  type: string | undefined
  /** Whether the session is in use now. */
  active: boolean
}

/** One session: its device, its place, its beginning and its end. */
export function SessionCard({ session, type, active }: Props) {
  const locale = useLocale()
  const t = useTranslations('sessions')
  const tCommon = useTranslations('common')
  const { device, current, provider } = session
  const Icon = icons[device.type] ?? Monitor
  const browser = device.browser || t('unknownBrowser')
  const name = device.system ? t('on', { browser, system: device.system }) : browser
  const size = (value: string) => {
    const [width = '', height = ''] = value.split('x')
    return t('size', { width, height })
  }
  return (
    <article aria-label={name} className="rounded-card border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3 p-4 @min-[40rem]:px-5">
        <span
          className={`flex size-11 shrink-0 items-center justify-center rounded-full ${current ? 'bg-brand-tint text-brand' : 'bg-sunken text-ink-second'}`}
        >
          <Icon aria-hidden="true" strokeWidth={1.75} className="size-5" />
        </span>
        <div className="grid min-w-0 grow basis-40 gap-1">
          <h3 className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-semibold">
            {name}
            {current ? <Pill tone="ok">{t('here')}</Pill> : null}
          </h3>
          {type ? <p className="text-ink-second text-note">{type}</p> : null}
        </div>
        <div className="@max-[28rem]:w-full @max-[28rem]:*:w-full">
          {current ? (
            <SignOut label={tCommon('signOut')} failed={tCommon('signOutFailed')} />
          ) : (
            <EndOne id={session.id} device={name} />
          )}
        </div>
      </div>
      <div className="grid gap-3 border-line border-t px-4 py-3.5 @min-[40rem]:px-5">
        <dl className={facts}>
          <Fact label={t('lastAccess')}>
            {active ? <span className="text-ok">{t('activeNow')}</span> : <DateTime value={session.lastAccess} />}
          </Fact>
          <Fact label={t('start')}>
            <DateTime value={session.start} />
          </Fact>
          <Fact label={t('expiry')}>
            <DateTime value={session.expiry} />
          </Fact>
          <Fact label={t('ip')}>
            <Mono>{session.ip}</Mono>
          </Fact>
          {session.country ? (
            <Fact label={t('country')}>
              {new Intl.DisplayNames([locale], { type: 'region' }).of(session.country) ?? session.country}
            </Fact>
          ) : null}
          {device.displaySize ? <Fact label={t('screen')}>{size(device.displaySize)}</Fact> : null}
          {provider ? <Fact label={t('provider')}>{provider}</Fact> : null}
        </dl>
        <details className="group">
          <summary className="flex w-fit cursor-pointer list-none items-center gap-1.5 rounded-[2px] text-ink-second text-note hover:text-ink pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
            <ChevronRight aria-hidden="true" className="size-4 transition-transform group-open:rotate-90" />
            {t('more')}
          </summary>
          <dl className={`mt-3 ${facts}`}>
            {device.displayWindowSize ? <Fact label={t('window')}>{size(device.displayWindowSize)}</Fact> : null}
            {device.displayZoom ? <Fact label={t('zoom')}>{t('percent', { zoom: device.displayZoom })}</Fact> : null}
            <Fact label={t('update')}>
              <DateTime value={session.update} />
            </Fact>
          </dl>
        </details>
      </div>
    </article>
  )
}
