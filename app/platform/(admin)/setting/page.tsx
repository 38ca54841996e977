import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import Link from 'next/link'
import { getFormatter, getTranslations } from 'next-intl/server'
import { buttonClasses } from '@/components/ui/button-classes'
import { Calm } from '@/components/ui/calm'
import { cn } from '@/components/ui/cn'
import { PageHeader } from '@/components/ui/page-header'
import { holdsMethod } from '@/lib/base/context/access'
import { wordsOf } from '@/lib/base/i18n/words'
import { pathOfScreen } from '@/lib/base/navigation/screens'
import { type Alert, type Figure, overview } from '@/lib/operations/overview/service'
import { pageUser } from '@/lib/request/navigation'
import { pageContext } from '@/lib/request/page'
import { screenTitle } from '@/lib/request/title'
import type { SettingId } from '@/lib/site/settings/definitions'
import { moduleOf } from '@/lib/site/settings/weak'
import { FailedWork } from './_ui/failed-work'
import { UndeliveredEvents } from './_ui/undelivered-events'

export const generateMetadata = () => screenTitle('Platform')

const tones = {
  danger: { Icon: CircleAlert, ink: 'text-danger' },
  warning: { Icon: TriangleAlert, ink: 'text-warning' },
  info: { Icon: Info, ink: 'text-info' },
}

/** Links to pages that aren't in the menu. The outbox exists only on instances without a mail server. */
const places: Partial<Record<Alert['code'], { href: string; label: 'openOutbox' | 'openEvents' }>> = {
  mailStays: { href: '/platform/dev/outbox', label: 'openOutbox' },
  deadEvents: { href: '#events', label: 'openEvents' },
  strandedEvents: { href: '#events', label: 'openEvents' },
  failedMessages: { href: '#messages', label: 'openEvents' },
  failedJobs: { href: '#jobs', label: 'openEvents' },
}

/** Returns the names of settings, and the place of the first on the page of settings. */
async function namesOf(settings: readonly SettingId[]) {
  const [t, names] = await Promise.all([getTranslations('overview'), getTranslations('settings.names')])
  const words = wordsOf(names)
  const [format, first] = [await getFormatter(), settings[0]]
  return {
    names: format.list(
      settings.map((id) => (words.has(id) ? t('quoted', { name: words(id) }) : id)),
      { type: 'conjunction' },
    ),
    hash: first ? `#settings-${moduleOf(first)}` : '',
  }
}

/** Returns the query string that filters a list. */
const searchOf = (filter: Readonly<Record<string, string>>) => {
  const filters = Object.entries(filter).map(([name, value]) => [`filter[${name}]`, value])
  return filters.length > 0 ? `?${new URLSearchParams(filters)}` : ''
}

async function MatterRow({ matter: { code, count, tone, screen, filter = {}, settings = [] } }: { matter: Alert }) {
  const t = await getTranslations('overview')
  const { Icon, ink } = tones[tone]
  const path = screen ? pathOfScreen(screen) : undefined
  const place = places[code]
  const { names, hash } = await namesOf(settings)
  const href = place?.href ?? (path && path + searchOf(filter) + hash)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <Icon aria-hidden="true" strokeWidth={1.75} className={cn('size-5 shrink-0 @max-[30rem]:self-start', ink)} />
      <p className="min-w-0 flex-1 basis-60">
        <span className="sr-only">{t(`tones.${tone}`)}: </span>
        {t(`matters.${code}`, { count, names })}
      </p>
      {href ? (
        <Link
          href={href}
          prefetch={false}
          className={cn(buttonClasses({ variant: 'secondary', size: 'S' }), '@max-[30rem]:ml-9')}
        >
          {t(place?.label ?? 'open')}
        </Link>
      ) : null}
    </li>
  )
}

async function FigureCard({ figure: { code, value, screen, filter } }: { figure: Figure }) {
  const [t, format] = await Promise.all([getTranslations('overview'), getFormatter()])
  const path = screen ? pathOfScreen(screen) : undefined
  const href = path && path + searchOf(filter)
  return (
    <div className="relative grid content-start gap-1 rounded-card border border-line bg-surface p-4 has-[a:hover]:border-line-strong">
      <dt className="text-ink-second text-table">
        {href ? (
          <Link href={href} prefetch={false} className="after:absolute after:inset-0 after:rounded-card">
            {t(`figures.${code}`)}
          </Link>
        ) : (
          t(`figures.${code}`)
        )}
      </dt>
      <dd className="grid gap-0.5">
        <span className="text-title tabular-nums">{format.number(value)}</span>
        <span className="text-ink-second text-note">{t(`figureHints.${code}`)}</span>
      </dd>
    </div>
  )
}

/** Shows the alerts for administrators. Each person sees the parts that their methods open. */
export default async function OverviewPage() {
  const { ctx } = await pageContext()
  const user = await pageUser(ctx, '/platform/setting')
  const t = await getTranslations('overview')
  const { matters, figures } = await overview(user)
  return (
    <div className="grid gap-8">
      <PageHeader title={t('title')} text={t('text')} />
      <section className="grid gap-3" aria-labelledby="matters">
        <h2 id="matters" className="text-section">
          {t('mattersTitle')}
        </h2>
        {matters.length > 0 ? (
          <ul className="divide-y divide-line rounded-card border border-line bg-surface text-table">
            {matters.map((matter) => (
              <MatterRow key={matter.code} matter={matter} />
            ))}
          </ul>
        ) : (
          <Calm title={t('calm')} text={t('calmText')} />
        )}
      </section>
      {holdsMethod(ctx, 'monitoring.read') ? (
        <>
          <FailedWork ctx={ctx} />
          <UndeliveredEvents ctx={ctx} />
        </>
      ) : null}
      {figures.length > 0 ? (
        <section className="grid gap-3" aria-labelledby="figures">
          <h2 id="figures" className="text-section">
            {t('figuresTitle')}
          </h2>
          <dl className="grid grid-cols-2 gap-3 @min-[56rem]:grid-cols-4">
            {figures.map((figure) => (
              <FigureCard key={figure.code} figure={figure} />
            ))}
          </dl>
        </section>
      ) : null}
    </div>
  )
}
