'use client'

import { Download } from 'lucide-react'
import { useFormatter, useTranslations } from 'next-intl'
import { useEffect, useRef } from 'react'
import { useErrorText } from '@/components/form/use-error-text'
import { useWriter } from '@/components/form/use-write'
import { RowFaults } from '@/components/run/run-log'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Pill } from '@/components/ui/pill'
import { saveCsv } from '@/components/ui/save-csv'
import { type ImportPreview, startUserImport } from '@/lib/entry/user-import/contract'
import { lackingCode } from '@/lib/entry/user-import/offered'
import { bodyOf, type Choices, wizardButtons } from './choices'

/** How many wrong rows are listed; the file has more. */
const shownFaults = 100

type Props = {
  file: File
  choices: Choices
  preview: ImportPreview
  onBack: () => void
  onStarted: (id: string) => void
}

/** What the file would do. Its verb names how many rows are written. */
export function CheckStep({ file, choices, preview, onBack, onStarted }: Props) {
  const t = useTranslations('user-import')
  const { write, pending } = useWriter()
  const { total, good, create, update, links, passwords, passwordsLeft, faults } = preview
  const wrong = total - good
  const result = useRef<HTMLDivElement>(null)
  // the form that had the focus is gone
  useEffect(() => result.current?.focus(), [])
  const start = async () => {
    const outcome = await write(startUserImport, { body: bodyOf(file, choices) })
    if (outcome?.ok) onStarted(outcome.output.id)
  }
  return (
    <>
      <div ref={result} tabIndex={-1} data-quiet-focus>
        <Alert tone={good > 0 ? 'ok' : 'danger'} title={good > 0 ? t('good', { count: good }) : t('none')} />
      </div>
      {good > 0 ? (
        <section className="grid gap-2.5">
          <h2 className="text-section">{t('effects')}</h2>
          <KeyValues>
            <Count label={t('toCreate')} count={create} />
            <Count label={t('toUpdate')} count={update} />
            {links > 0 ? <Count label={t('toLink')} count={links} /> : null}
            {passwords > 0 ? <Count label={t('toPassword')} count={passwords} /> : null}
            {passwordsLeft > 0 ? <Count label={t('left')} count={passwordsLeft} /> : null}
            {wrong > 0 ? <Count label={t('wrongCount')} count={wrong} /> : null}
          </KeyValues>
        </section>
      ) : null}
      {faults.length > 0 ? <Wrong preview={preview} count={wrong} /> : null}
      {preview.rows.length > 0 ? <Good preview={preview} /> : null}
      <div className={wizardButtons}>
        <Button variant="secondary" onClick={onBack}>
          {t('back')}
        </Button>
        {good > 0 ? (
          <Button pending={pending} onClick={() => void start()}>
            {t('start', { count: good })}
          </Button>
        ) : null}
      </div>
    </>
  )
}

function Count({ label, count }: { label: string; count: number }) {
  const format = useFormatter()
  return (
    <KeyValue label={label}>
      <span className="tabular-nums">{format.number(count)}</span>
    </KeyValue>
  )
}

function Wrong({ preview: { faults, head, lacking }, count }: { preview: ImportPreview; count: number }) {
  const t = useTranslations('user-import')
  const errorText = useErrorText()
  // what all of them lack is said once
  const others = faults.filter(({ code }) => code !== lackingCode)
  const shown = others.slice(0, shownFaults)
  const all = count - lacking.rows
  const save = () => {
    const rows = faults.map(({ row, code, params: { column, ...params }, cells }) => {
      const why = errorText(code, params)
      return [...cells, String(row), column ? `${column}: ${why}` : why]
    })
    void saveCsv(t('wrongName'), [[...head, t('wrongHead.row'), t('wrongHead.error')], ...rows])
  }
  return (
    <section className="@container grid gap-2.5">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h2 className="text-section">{t('wrongRows')}</h2>
          {shown.length < all ? (
            <p className="text-ink-second text-note">{t('wrongFirst', { shown: shown.length, count: all })}</p>
          ) : null}
        </div>
        <Button variant="secondary" size="S" onClick={save}>
          <Download aria-hidden="true" className="size-4" />
          {t('downloadWrong')}
        </Button>
      </div>
      {lacking.rows > 0 ? (
        <Alert tone="warning" title={t('lacking', { count: lacking.titles.length, names: lacking.titles.join(', ') })}>
          <p>{t('lackingRows', { count: lacking.rows })}</p>
        </Alert>
      ) : null}
      {shown.length > 0 ? <RowFaults faults={shown} /> : null}
    </section>
  )
}

function Good({ preview: { rows } }: { preview: ImportPreview }) {
  const t = useTranslations('user-import')
  return (
    <section className="grid gap-2.5">
      <h2 className="text-section">{t('firstRows')}</h2>
      <ul className="rounded-card border border-line bg-surface">
        {rows.map(({ row, title, create }) => (
          <li
            key={row}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t px-4 py-2 text-table first:border-t-0"
          >
            <span className="wrap-anywhere min-w-0 grow font-medium">{title}</span>
            <Pill tone={create ? 'ok' : 'neutral'}>{t(create ? 'new' : 'present')}</Pill>
          </li>
        ))}
      </ul>
    </section>
  )
}
