import type { Metadata } from 'next'
import Link from 'next/link'
import { notFound } from 'next/navigation'
import { getFormatter, getTranslations } from 'next-intl/server'
import { TextField } from '@/components/form/text-field'
import { buttonClasses } from '@/components/ui/button-classes'
import { Card } from '@/components/ui/card'
import { Pill } from '@/components/ui/pill'
import { env } from '@/lib/kernel/env'
import { AppError } from '@/lib/kernel/errors'
import { parseOrThrow, readQuery } from '@/lib/kernel/http/read'
import { OutboxQuery, outboxPage } from '@/lib/kernel/messages/outbox'

export const metadata: Metadata = { title: 'Outbox' }

type Search = Record<string, string | string[] | undefined>

/** The address's query as a search string again, so that it is read by the rules of every list. */
const searchOf = (search: Search) =>
  new URLSearchParams(
    Object.entries(search).flatMap(([name, value]) => [value ?? []].flat().map((one): [string, string] => [name, one])),
  )

const tones = { queued: 'info', sent: 'ok', failed: 'danger', dropped: 'neutral' } as const

/** Mails and SMS of an instance that has no mail server; production has no such page. */
export default async function OutboxPage({ searchParams }: { searchParams: Promise<Search> }) {
  if (env().PLATFORM_MODE === 'production') notFound()
  const t = await getTranslations('outbox')
  const format = await getFormatter()
  const search = searchOf(await searchParams)
  if (search.get('filter[recipient]') === '') search.delete('filter[recipient]')
  const query = (() => {
    try {
      return parseOrThrow(OutboxQuery, readQuery(search))
    } catch (error) {
      if (error instanceof AppError) return parseOrThrow(OutboxQuery, {})
      throw error
    }
  })()
  const { messages, meta } = await outboxPage(query)
  const pageAddress = (page: number) => {
    const next = new URLSearchParams(search)
    next.set('meta[page]', String(page))
    return `/platform/dev/outbox?${next}`
  }
  return (
    <main className="mx-auto grid max-w-3xl gap-6 px-4 py-8">
      <h1 className="text-title">{t('title')}</h1>
      <p className="text-ink-second">{t('lead')}</p>
      <form className="flex flex-wrap items-end gap-3">
        <div className="min-w-60 grow">
          <TextField
            label={t('recipient')}
            id="outbox-recipient"
            name="filter[recipient]"
            defaultValue={query.filter.recipient ?? ''}
          />
        </div>
        <button type="submit" className={buttonClasses({ variant: 'secondary' })}>
          {t('find')}
        </button>
      </form>
      <p className="text-note text-ink-second">{t('found', { count: meta.total })}</p>
      <ul className="grid gap-4">
        {messages.map(({ id, kind, template, recipient, status, createdAt, content, error }) => (
          <li key={id}>
            <Card className="grid gap-3">
              <div className="flex flex-wrap items-center gap-3">
                <Pill tone={tones[status]}>{t(`statuses.${status}`)}</Pill>
                <strong className="break-all">{recipient}</strong>
                <span className="text-note text-ink-second">
                  {t(`kinds.${kind}`)} · {template} ·{' '}
                  {format.dateTime(createdAt, { dateStyle: 'short', timeStyle: 'medium' })}
                </span>
              </div>
              {'subject' in content ? <p className="font-semibold">{content.subject}</p> : null}
              <pre className="whitespace-pre-wrap font-sans">{content.text}</pre>
              {'html' in content ? (
                <details>
                  <summary className="cursor-pointer text-note">HTML</summary>
                  <iframe
                    title={content.subject}
                    sandbox=""
                    srcDoc={content.html}
                    className="mt-3 h-96 w-full rounded-control border border-line bg-white"
                  />
                </details>
              ) : null}
              {error ? <p className="text-danger text-note">{error}</p> : null}
            </Card>
          </li>
        ))}
      </ul>
      <nav className="flex gap-4" aria-label={t('pages')}>
        {query.page > 1 ? <Link href={pageAddress(query.page - 1)}>{t('back')}</Link> : null}
        {query.page < meta.pages ? <Link href={pageAddress(query.page + 1)}>{t('forward')}</Link> : null}
      </nav>
    </main>
  )
}
