import { useTranslations } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import { PageMessages } from '@/components/shell/page-messages'
import { DateTime } from '@/components/ui/date-time'
import { Mono } from '@/components/ui/mono'
import { holdsMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { pickMessages } from '@/lib/base/i18n/messages'
import { wordsOf } from '@/lib/base/i18n/words'
import { type UndeliveredEvent, UndeliveredQuery } from '@/lib/operations/undelivered-events/contract'
import { listUndelivered } from '@/lib/operations/undelivered-events/service'
import { EventActions } from './event-actions'

/** How many are shown at once. Later ones appear when these are handled. */
const mostShown = 20

function EventRow({ event, writable }: { event: UndeliveredEvent; writable: boolean }) {
  const t = useTranslations('overview.events')
  // another version may have written the event, with an entity name that this version doesn't know
  const words = wordsOf(useTranslations('history.entities'))
  const { reason, handler, topic, entity, entityId, date, attempts, error, waiting } = event
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-3">
      <div className="grid min-w-0 flex-1 basis-72 gap-1">
        <p className="wrap-anywhere font-medium">{t('for', { topic, handler })}</p>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-second text-note">
          {words.has(entity) ? words(entity) : entity}
          <Mono>{entityId}</Mono>
        </p>
        <p className="text-ink-second text-note">
          {t('happened')} <DateTime value={date} />. {reason === 'failed' ? t('failed', { attempts }) : t('unknown')}.
          {waiting > 0 ? ` ${t('waiting', { count: waiting })}.` : null}
        </p>
        {error ? <p className="break-words text-danger text-note">{error}</p> : null}
      </div>
      {writable ? <EventActions event={event} name={`${topic} ${entityId}`} /> : null}
    </li>
  )
}

/** The undelivered events with their actions. Renders nothing if there are none. */
export async function UndeliveredEvents({ ctx }: { ctx: Ctx }) {
  const query = UndeliveredQuery.parse({ meta: { perPage: String(mostShown) } })
  const { events, meta } = await listUndelivered(ctx, { query })
  if (events.length === 0) return null
  const [t, messages] = await Promise.all([getTranslations('overview.events'), getMessages()])
  const writable = holdsMethod(ctx, 'monitoring.write')
  return (
    <PageMessages messages={pickMessages(messages, ['overview'])}>
      <section id="events" className="grid scroll-mt-20 gap-3" aria-labelledby="events-title">
        <h2 id="events-title" className="text-section">
          {t('title')}
        </h2>
        <ul className="divide-y divide-line rounded-card border border-line bg-surface text-table">
          {events.map((event) => (
            <EventRow key={event.id} event={event} writable={writable} />
          ))}
        </ul>
        {meta.total > events.length ? (
          <p className="text-ink-second text-note">{t('more', { count: meta.total - events.length })}</p>
        ) : null}
      </section>
    </PageMessages>
  )
}
