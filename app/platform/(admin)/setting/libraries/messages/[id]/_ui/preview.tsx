'use client'

import { Eye, EyeOff, Monitor, Moon, Smartphone, Sun } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { Skeleton } from '@/components/ui/skeleton'
import type { CallOutput } from '@/lib/base/contracts/contract'
import type { previewMessageTexts } from '@/lib/messaging/message-texts/contract'

export type MessagePreview = CallOutput<typeof previewMessageTexts>

type Props = {
  shown: MessagePreview | null
  lang: string
  /** Why it shows earlier texts. */
  fault?: string | null
}

/** What people get: the mail as mail programs draw it, or the SMS with its length. */
export function Preview({ shown, lang, fault = null }: Props) {
  const t = useTranslations('message-texts')
  const [open, setOpen] = useState(false)
  const [phone, setPhone] = useState(false)
  const [dark, setDark] = useState(false)
  const tools = shown?.mail ? (
    <span className="flex">
      <IconButton label={t(phone ? 'asDesktop' : 'asPhone')} onClick={() => setPhone(!phone)}>
        {phone ? (
          <Monitor aria-hidden="true" className="size-5" />
        ) : (
          <Smartphone aria-hidden="true" className="size-5" />
        )}
      </IconButton>
      <IconButton label={t(dark ? 'asLight' : 'asDark')} onClick={() => setDark(!dark)}>
        {dark ? <Sun aria-hidden="true" className="size-5" /> : <Moon aria-hidden="true" className="size-5" />}
      </IconButton>
    </span>
  ) : null
  return (
    <section aria-label={t('preview')} className="grid min-w-0 gap-3">
      <div className="flex min-h-9 items-center gap-2">
        <h2 className="grow text-section">{t('preview')}</h2>
        {tools}
      </div>
      <Button
        variant="secondary"
        aria-expanded={open}
        onClick={() => setOpen((now) => !now)}
        className="@min-[40rem]:hidden"
      >
        {open ? <EyeOff aria-hidden="true" className="size-4" /> : <Eye aria-hidden="true" className="size-4" />}
        {t(open ? 'hidePreview' : 'showPreview')}
      </Button>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2 @max-[40rem]:data-[open=false]:hidden" data-open={open}>
        <p role="status" className={fault ? 'text-note text-warning' : 'sr-only'}>
          {fault}
        </p>
        {shown?.mail ? <Mail mail={shown.mail} lang={lang} phone={phone} dark={dark} /> : null}
        {shown?.sms ? <Sms sms={shown.sms} lang={lang} /> : null}
        {shown ? null : <Skeleton className="h-80 w-full" />}
        <p className="text-ink-second text-note">{t('previewNote')}</p>
      </div>
    </section>
  )
}

const Line = ({ label, lang, children }: { label: string; lang: string; children: ReactNode }) => (
  <div className="grid gap-x-3 @min-[30rem]:grid-cols-[7rem_minmax(0,1fr)]">
    <dt className="text-ink-second">{label}</dt>
    <dd lang={lang} className="wrap-anywhere">
      {children}
    </dd>
  </div>
)

type MailProps = { mail: NonNullable<MessagePreview['mail']>; lang: string; phone: boolean; dark: boolean }

function Mail({ mail, lang, phone, dark }: MailProps) {
  const t = useTranslations('message-texts')
  // its links open nothing: the frame may open no windows
  const html = mail.html.replace('<head>', '<head><base target="_blank"/>')
  return (
    <>
      <dl className="@container grid gap-1 text-table">
        <Line label={t('parts.subject')} lang={lang}>
          <b className="font-medium">{mail.subject}</b>
        </Line>
        <Line label={t('parts.preheader')} lang={lang}>
          {mail.preheader}
        </Line>
      </dl>
      <iframe
        title={mail.subject}
        sandbox=""
        srcDoc={
          dark
            ? html.replaceAll('(prefers-color-scheme:dark)', 'all')
            : html.replaceAll('(prefers-color-scheme:dark)', 'not all')
        }
        className={`h-[36rem] w-full rounded-control border border-line bg-surface ${phone ? 'max-w-[22.5rem]' : 'max-w-[44rem]'}`}
      />
      <details className="group">
        <summary className="flex w-fit min-h-9 cursor-pointer items-center rounded-[2px] text-ink-second text-note hover:text-ink pointer-coarse:min-h-11">
          {t('asText')}
        </summary>
        <p
          lang={lang}
          className="wrap-anywhere mt-1 whitespace-pre-line rounded-control bg-sunken px-3 py-2 text-table"
        >
          {mail.text}
        </p>
      </details>
    </>
  )
}

function Sms({ sms, lang }: { sms: NonNullable<MessagePreview['sms']>; lang: string }) {
  const t = useTranslations('message-texts')
  const { text, characters, parts, most } = sms
  return (
    <>
      <p
        lang={lang}
        className="wrap-anywhere max-w-[22.5rem] whitespace-pre-line rounded-card rounded-bl-[2px] border border-line bg-sunken px-4 py-3"
      >
        {text}
      </p>
      <p className={parts > most ? 'text-note text-warning' : 'text-note text-ink-second tabular-nums'}>
        {parts > most
          ? t('smsTooLong', { parts, most: String(most) })
          : t('smsLength', { characters, parts, most: String(most) })}
      </p>
    </>
  )
}
