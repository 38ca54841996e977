'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useErrorText } from '@/components/form/use-error-text'
import { useRead } from '@/components/form/use-read'
import { useWriter } from '@/components/form/use-write'
import { NoticeMark } from '@/components/notifications/notice-mark'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { DialogBody, DialogCancel, DialogFooter } from '@/components/ui/dialog'
import { PartFailed } from '@/components/ui/part-failed'
import { Skeleton } from '@/components/ui/skeleton'
import { Tabs } from '@/components/ui/tabs'
import { CallError, call } from '@/lib/base/http/client'
import {
  type NewsItem,
  type NewsRow,
  type NewsPreview as Preview,
  previewNewsItem,
  publishNewsItem,
  readNewsItem,
} from '@/lib/news/news/contract'
import { searchLocales } from '@/lib/site/locales/contract'

type PreviewData = { item: NewsItem; languages: { id: string; name: string; preview: Preview }[] }

/** Reads the news and a preview in each of their languages. */
async function readPreview(id: string): Promise<PreviewData> {
  const item = await call(readNewsItem, { params: { id } })
  const ids = item.locales.map(({ localeId }) => localeId)
  const { locales } = await call(searchLocales, { query: { ids } })
  const languages = await Promise.all(
    ids.map(async (localeId) => ({
      id: localeId,
      name: locales.find((locale) => locale.id === localeId)?.name ?? localeId,
      preview: await call(previewNewsItem, { params: { id }, query: { localeId } }),
    })),
  )
  return { item, languages }
}

/** News as people get them, in each language; with `onPublished`, the button that publishes them is below. */
export function NewsPreview({ news, onPublished }: { news: NewsRow; onPublished?: () => void }) {
  const t = useTranslations('news')
  const tu = useTranslations('ui')
  const errorText = useErrorText()
  const { write, pending, reason } = useWriter()
  const [fault, setFault] = useState<string | null>(null)
  const { read: data, retry } = useRead<PreviewData>(
    () => readPreview(news.id),
    [news.id],
    (error) => {
      if (error instanceof CallError && error.status === 404) setFault(errorText('notFound'))
    },
  )
  const publish = async () => {
    if (!data || data === 'failed' || !onPublished) return
    const input = { params: { id: news.id }, body: { updatedAt: data.item.updatedAt } }
    const outcome = await write(publishNewsItem, input, { failure: 'inside' })
    if (outcome?.ok) onPublished()
    else if (outcome) {
      const isOlder = outcome.error.code === 'conflict'
      setFault(isOlder ? t('changedMeanwhile') : reason(outcome.error))
      // news saved after the preview was read are previewed again before they are published
      if (outcome.error.status === 409) retry()
    }
  }
  return (
    <>
      <DialogBody className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
        {fault ? <Alert tone="danger">{fault}</Alert> : null}
        {data === 'failed' ? (
          <PartFailed retry={retry} />
        ) : data ? (
          <>
            <AudienceNote
              item={data.item}
              concerned={data.languages[0]?.preview.concerned ?? 0}
              asks={Boolean(onPublished)}
            />
            <Tabs
              label={t('texts')}
              tabs={data.languages.map(({ id, name, preview }) => ({
                id,
                label: name,
                content: <InLanguage preview={preview} />,
              }))}
            />
          </>
        ) : (
          <Skeleton className="h-72" />
        )}
      </DialogBody>
      <DialogFooter>
        <DialogCancel>{onPublished ? undefined : tu('close')}</DialogCancel>
        {onPublished ? (
          <Button pending={pending} disabled={!data || data === 'failed'} onClick={() => void publish()}>
            {t('publish')}
          </Button>
        ) : null}
      </DialogFooter>
    </>
  )
}

function AudienceNote({ item, concerned: readers, asks }: { item: NewsItem; concerned: number; asks: boolean }) {
  const t = useTranslations('news')
  const { audience, audienceName, status, reached, mailed } = item
  const audienceText = audienceName ? `${t(`audiences.${audience}`)}: ${audienceName}` : t(`audiences.${audience}`)
  return (
    <div className="grid gap-1 text-table">
      <p>
        <b className="font-medium">{audienceText}</b>
        {'. '}
        {status === 'draft' ? t('concerned', { count: readers }) : t('reachedText', { count: reached, mails: mailed })}
      </p>
      {asks ? <p className="text-ink-second text-note">{t('publishText')}</p> : null}
    </div>
  )
}

function InLanguage({ preview }: { preview: Preview }) {
  const t = useTranslations('news')
  const { locale, title, text, mail } = preview
  // its links open nothing: the frame may open no windows
  const html = mail.html.replace('<head>', '<head><base target="_blank"/>')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <section className="grid gap-2">
        <h3 className="font-medium text-ink-second text-note">{t('asNotice')}</h3>
        <div lang={locale} className="flex gap-3 rounded-card border border-line bg-surface px-4 py-3.5">
          <NoticeMark kind="news" unread />
          <div className="grid min-w-0 grow gap-0.5">
            <p className="wrap-anywhere font-semibold text-table">{title}</p>
            <p className="wrap-anywhere whitespace-pre-line text-ink-second text-note">{text}</p>
          </div>
        </div>
      </section>
      <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <h3 className="font-medium text-ink-second text-note">{t('asMail')}</h3>
        <p lang={locale} className="wrap-anywhere font-medium text-table">
          {mail.subject}
        </p>
        <iframe
          title={mail.subject}
          sandbox=""
          srcDoc={html}
          className="h-[30rem] w-full rounded-control border border-line bg-surface"
        />
      </section>
    </div>
  )
}
