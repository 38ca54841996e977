'use client'

import { Download } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useId } from 'react'
import { Button } from '@/components/ui/button'
import { saveFile } from '@/components/ui/save-file'

type Props = {
  title: string
  /** The content that was sent or answered; null or empty if there is none. */
  text: string | null
  /** The text if there is no content. */
  none: string
  /** The name of the file for the download; without it there is no button. */
  file?: string
}

/** Returns JSON formatted with line breaks; other text unchanged. */
function inLines(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Sent or answered content, as text, which keys can scroll, and as a file. */
export function MessageText({ title, text, none, file }: Props) {
  const [t, id] = [useTranslations('webhooks'), useId()]
  return (
    <div className="grid w-full min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-2">
        <h3 id={id} className="font-semibold text-table">
          {title}
        </h3>
        {text && file ? (
          <Button
            variant="quiet"
            size="S"
            aria-label={`${t('download')}: ${title}`}
            onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), file)}
          >
            <Download aria-hidden="true" className="size-4" />
            {t('download')}
          </Button>
        ) : null}
      </div>
      {text ? (
        <pre
          {...{ role: 'region', tabIndex: 0, 'aria-labelledby': id }}
          className="wrap-anywhere max-h-64 overflow-y-auto whitespace-pre-wrap rounded-control border border-line bg-paper p-3 font-mono text-note"
        >
          {inLines(text)}
        </pre>
      ) : (
        <p className="text-ink-second text-table">{none}</p>
      )}
    </div>
  )
}
