import { useTranslations } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import { PageMessages } from '@/components/shell/page-messages'
import { AddressText } from '@/components/ui/address-text'
import { DateTime } from '@/components/ui/date-time'
import { holdsMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { pickMessages } from '@/lib/base/i18n/messages'
import { wordsOf } from '@/lib/base/i18n/words'
import { type FailedJobs, type FailedMessage, FailedMessageQuery } from '@/lib/operations/failed-work/contract'
import { listFailedJobs, listFailedMessages } from '@/lib/operations/failed-work/service'
import { RetryJobs, RetryMessage } from './failed-work-actions'

/** How many messages are shown at once. Later ones appear when these are handled. */
const mostShown = 20
const row = 'flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-3'
const rows = 'divide-y divide-line rounded-card border border-line bg-surface text-table'

function MessageRow({ message, writable }: { message: FailedMessage; writable: boolean }) {
  const t = useTranslations('overview.failedMessages')
  const names = wordsOf(useTranslations('users.templates'))
  const { kind, template, recipient, attempts, error, createdAt, sendable } = message
  const name = t('line', { kind: t(kind), template: names.has(template) ? names(template) : template })
  return (
    <li className={row}>
      <div className="grid min-w-0 flex-1 basis-72 gap-1">
        <p className="wrap-anywhere font-medium">{name}</p>
        <p className="text-ink-second text-note">
          <AddressText>{recipient}</AddressText>
        </p>
        <p className="text-ink-second text-note">
          <DateTime value={createdAt} />, {t('attempts', { attempts })}
        </p>
        {error ? <p className="break-words text-danger text-note">{error}</p> : null}
        {sendable ? null : <p className="text-ink-second text-note">{t('stale')}</p>}
      </div>
      {writable && sendable ? <RetryMessage id={message.id} name={`${name}, ${recipient}`} /> : null}
    </li>
  )
}

function JobRow({ job: { task, count, failedAt, error }, writable }: { job: FailedJobs; writable: boolean }) {
  const t = useTranslations('overview.failedJobs')
  const names = wordsOf(useTranslations('overview.failedJobs'))
  const name = names.has(`tasks.${task}`) ? names(`tasks.${task}`) : task
  return (
    <li className={row}>
      <div className="grid min-w-0 flex-1 basis-72 gap-1">
        <p className="wrap-anywhere font-medium">{name}</p>
        <p className="text-ink-second text-note">
          {t('count', { count })}. {t('last')} <DateTime value={failedAt} />
        </p>
        {error ? <p className="break-words text-danger text-note">{error}</p> : null}
      </div>
      {writable ? <RetryJobs task={task} name={name} /> : null}
    </li>
  )
}

/** Dead jobs, and dead messages of the last day, with their actions. Renders nothing if there are none. */
export async function FailedWork({ ctx }: { ctx: Ctx }) {
  const query = FailedMessageQuery.parse({ filter: { hours: '24' }, meta: { perPage: String(mostShown) } })
  const [{ jobs }, { messages: letters, meta }, t, messages] = await Promise.all([
    listFailedJobs(ctx),
    listFailedMessages(ctx, { query }),
    getTranslations('overview'),
    getMessages(),
  ])
  const writable = holdsMethod(ctx, 'monitoring.write')
  return (
    <PageMessages messages={pickMessages(messages, ['overview'])}>
      {letters.length > 0 ? (
        <section id="messages" className="grid scroll-mt-20 gap-3" aria-labelledby="messages-title">
          <h2 id="messages-title" className="text-section">
            {t('failedMessages.title')}
          </h2>
          <ul className={rows}>
            {letters.map((message) => (
              <MessageRow key={message.id} message={message} writable={writable} />
            ))}
          </ul>
          {meta.total > letters.length ? (
            <p className="text-ink-second text-note">
              {t('failedMessages.more', { count: meta.total - letters.length })}
            </p>
          ) : null}
        </section>
      ) : null}
      {jobs.length > 0 ? (
        <section id="jobs" className="grid scroll-mt-20 gap-3" aria-labelledby="jobs-title">
          <h2 id="jobs-title" className="text-section">
            {t('failedJobs.title')}
          </h2>
          <ul className={rows}>
            {jobs.map((job) => (
              <JobRow key={job.task} job={job} writable={writable} />
            ))}
          </ul>
        </section>
      ) : null}
    </PageMessages>
  )
}
