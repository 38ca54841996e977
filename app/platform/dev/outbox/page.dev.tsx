import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { ownField } from '@/components/form/field-name'
import { TextField } from '@/components/form/text-field'
import { Guilloche } from '@/components/look/guilloche'
import { Mark } from '@/components/look/mark'
import { buttonClasses } from '@/components/ui/button-classes'
import { cn } from '@/components/ui/cn'
import { parseOrThrow, readQuery } from '@/lib/base/http/read'
import { SentMessagesQuery, sentMessagesPage } from '@/lib/base/mail-and-sms/sent-messages'
import { AppError } from '@/lib/base/runtime/errors'
import { developmentOnly } from '@/lib/request/development'
import { pageTitle } from '@/lib/request/title'
import { MessageCard } from './_ui/message-card'

export async function generateMetadata(): Promise<Metadata> {
  developmentOnly()
  const t = await getTranslations('outbox')
  return pageTitle(t('title'))
}

type Search = Record<string, string | string[] | undefined>

const address = '/platform/dev/outbox'

/** Returns the query string of a query, so that it is read by the rules of every list. */
const searchOf = (search: Search) =>
  new URLSearchParams(
    Object.entries(search).flatMap(([name, value]) =>
      [value ?? []].flat().map((text): [string, string] => [name, text]),
    ),
  )

function queryOf(search: URLSearchParams) {
  try {
    return parseOrThrow(SentMessagesQuery, readQuery(search))
  } catch (error) {
    if (error instanceof AppError) return parseOrThrow(SentMessagesQuery, {})
    throw error
  }
}

const chip =
  'inline-flex min-h-9 items-center rounded-control border px-3 font-medium text-table transition-colors pointer-coarse:min-h-11'

/** Mails and SMS of an instance without a mail server. Production has no such page. */
export default async function OutboxPage({ searchParams }: { searchParams: Promise<Search> }) {
  developmentOnly()
  const t = await getTranslations('outbox')
  const search = searchOf(await searchParams)
  if (search.get('filter[recipient]') === '') search.delete('filter[recipient]')
  const query = queryOf(search)
  const { messages, meta } = await sentMessagesPage(query)
  const { recipient, kind } = query.filter
  const filtered = recipient !== undefined || kind !== undefined

  /** Returns the address of this list with one filter changed, on its first page. */
  const withParam = (name: string, value: string | undefined) => {
    const next = new URLSearchParams(search)
    next.delete('meta[page]')
    if (value === undefined) next.delete(name)
    else next.set(name, value)
    return next.size > 0 ? `${address}?${next}` : address
  }
  return (
    <div className="relative isolate min-h-dvh overflow-hidden">
      <Guilloche form="rosette" className="-top-72 -right-72 -z-10 w-[40rem] opacity-40 max-md:hidden" />
      <main id="main" className="mx-auto grid max-w-3xl gap-6 px-4 py-8 xs:px-6 md:py-12">
        <div className="grid gap-2">
          <h1 className="flex items-center gap-3 text-title">
            <Mark className="text-brand" />
            {t('title')}
          </h1>
          <p className="max-w-[36rem] text-ink-second">{t('lead')}</p>
        </div>
        <form action={address} className="flex flex-wrap items-end gap-3">
          <div className="min-w-56 grow">
            <TextField
              label={t('recipient')}
              id="outbox-recipient"
              name={ownField('filter[recipient]')}
              defaultValue={recipient ?? ''}
              autoComplete="off"
            />
          </div>
          {kind ? <input type="hidden" name="filter[kind]" value={kind} /> : null}
          <button type="submit" className={buttonClasses({ variant: 'secondary' })}>
            {t('find')}
          </button>
        </form>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
          <nav aria-label={t('kind')} className="flex flex-wrap gap-2">
            {([undefined, 'email', 'sms'] as const).map((channel) => (
              <a
                key={channel ?? 'all'}
                href={withParam('filter[kind]', channel)}
                aria-current={kind === channel ? 'true' : undefined}
                className={cn(
                  chip,
                  kind === channel
                    ? 'border-brand bg-brand-tint text-ink'
                    : 'border-line-strong bg-surface text-ink-second hover:border-ink-second hover:text-ink',
                )}
              >
                {channel ? t(`byKind.${channel}`) : t('all')}
              </a>
            ))}
          </nav>
          <p className="text-ink-second text-note tabular-nums sm:ml-auto">{t('found', { count: meta.total })}</p>
        </div>
        {messages.length > 0 ? (
          <ul className="grid gap-4">
            {messages.map((message) => (
              <li key={message.id}>
                <MessageCard message={message} />
              </li>
            ))}
          </ul>
        ) : (
          <div className="grid justify-items-start gap-5 rounded-card border border-line border-dashed px-5 py-10 sm:px-8">
            <div className="grid gap-1">
              <h2 className="text-section">{filtered ? t('empty.notFound') : t('empty.title')}</h2>
              <p className="text-ink-second">{filtered ? t('empty.change') : t('empty.text')}</p>
            </div>
            <a href={filtered ? address : '/platform/login'} className={buttonClasses({ variant: 'secondary' })}>
              {filtered ? t('reset') : t('toSignIn')}
            </a>
          </div>
        )}
        {meta.pages > 1 ? (
          <nav className="flex flex-wrap items-center gap-3" aria-label={t('pages')}>
            {query.page > 1 ? (
              <a
                href={withParam('meta[page]', String(query.page - 1))}
                className={buttonClasses({ variant: 'secondary', size: 'S' })}
              >
                {t('back')}
              </a>
            ) : null}
            <span className="text-ink-second text-note tabular-nums">
              {t('page', { page: query.page, pages: meta.pages })}
            </span>
            {query.page < meta.pages ? (
              <a
                href={withParam('meta[page]', String(query.page + 1))}
                className={buttonClasses({ variant: 'secondary', size: 'S' })}
              >
                {t('forward')}
              </a>
            ) : null}
          </nav>
        ) : null}
      </main>
    </div>
  )
}
