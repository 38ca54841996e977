import { getTranslations } from 'next-intl/server'
import { Card } from '@/components/ui/card'
import { DateTime } from '@/components/ui/date-time'
import { ChevronDown } from '@/components/ui/icons'
import { Pill } from '@/components/ui/pill'
import type { sentMessagesPage } from '@/lib/base/mail-and-sms/sent-messages'

type Message = Awaited<ReturnType<typeof sentMessagesPage>>['messages'][number]

const tones = { queued: 'info', sent: 'ok', failed: 'danger', dropped: 'neutral' } as const

/** One mail or SMS: recipient, time, status, and the content as text and as a mail program shows it. */
export async function MessageCard({ message }: { message: Message }) {
  const { kind, template, recipient, status, createdAt, content, error } = message
  const t = await getTranslations('outbox')
  return (
    <Card className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <Pill tone={tones[status]}>{t(`statuses.${status}`)}</Pill>
        <strong className="wrap-anywhere min-w-0 font-semibold">{recipient}</strong>
        <span className="text-ink-second text-note tabular-nums sm:ml-auto">
          {t(`kinds.${kind}`)}, <DateTime value={createdAt} />
        </span>
      </div>
      <div className="grid gap-2">
        {'subject' in content ? <p className="font-medium">{content.subject}</p> : null}
        <p className="wrap-anywhere whitespace-pre-line text-ink-second text-table">
          {content.text.replace(/\n{2,}/g, '\n')}
        </p>
      </div>
      {'html' in content && content.html ? (
        <details className="group">
          <summary className="flex w-fit cursor-pointer list-none items-center gap-1.5 rounded-[2px] text-ink-second text-note hover:text-ink pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
            {t('asHtml')}
            <ChevronDown className="size-4 transition-transform group-open:rotate-180" />
          </summary>
          <iframe
            title={content.subject}
            sandbox=""
            srcDoc={content.html}
            className="mt-3 h-[27rem] w-full rounded-control border border-line"
          />
        </details>
      ) : null}
      <p className="flex flex-wrap gap-x-3 text-ink-second text-note">
        <span className="font-mono">{template}</span>
        {error ? <span className="wrap-anywhere text-danger">{error}</span> : null}
      </p>
    </Card>
  )
}
