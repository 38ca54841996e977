'use client'

import { Download } from 'lucide-react'
import { useFormatter, useTranslations } from 'next-intl'
import { Fragment, useEffect, useRef } from 'react'
import { RowFaults } from '@/components/batch-job/run-log'
import { useErrorText } from '@/components/form/use-error-text'
import { useWriter } from '@/components/form/use-write'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Pill } from '@/components/ui/pill'
import { saveCsv } from '@/components/ui/save-csv'
import { type ImportPreview, startUserImport } from '@/lib/account-administration/user-import/contract'
import { missingFieldCode } from '@/lib/account-administration/user-import/offered'
import { bodyOf, type Choices, type ReadFile, wizardButtons } from './choices'

/** How many wrong rows are listed; the file has more. */
const shownFaults = 100

type Props = {
  read: ReadFile
  choices: Choices
  preview: ImportPreview
  onBack: () => void
  onStarted: (id: string) => void
}

/** What the file would do. The submit button says how many rows are written. */
export function CheckStep({ read, choices, preview, onBack, onStarted }: Props) {
  const t = useTranslations('user-import')
  const { write, pending } = useWriter()
  const { total, good, create, update, same, links, passwords, passwordsLeft, apps, appsLeft, unused, faults } = preview
  const wrong = total - good
  const changing = create + update
  const result = useRef<HTMLDivElement>(null)
  // the form that had the focus was removed
  useEffect(() => result.current?.focus(), [])
  const start = async () => {
    const outcome = await write(startUserImport, { body: bodyOf(read, choices) })
    if (outcome?.ok) onStarted(outcome.output.id)
  }
  const summary = good > 0 ? t(changing > 0 ? 'good' : 'noChanges', { count: changing }) : t('none')
  return (
    <>
      <div ref={result} tabIndex={-1} data-quiet-focus>
        <Alert
          tone={good === 0 ? 'danger' : wrong > 0 ? 'warning' : 'ok'}
          title={good > 0 && wrong > 0 ? t('bad', { count: wrong }) : summary}
        >
          {good > 0 && wrong > 0 && changing > 0 ? <p>{summary}</p> : null}
          {good > 0 && changing === 0 ? <p>{t('nothingNew', { count: same })}</p> : null}
        </Alert>
      </div>
      {good > 0 ? (
        <section className="grid gap-2.5">
          <h2 className="text-section">{t('effects')}</h2>
          <KeyValues>
            <Count label={t('toCreate')} count={create} />
            <Count label={t('toUpdate')} count={update} />
            {same > 0 ? <Count label={t('stay')} count={same} /> : null}
            {links > 0 ? <Count label={t('toLink')} count={links} /> : null}
            {passwords > 0 ? <Count label={t('toPassword')} count={passwords} /> : null}
            {passwordsLeft > 0 ? <Count label={t('left')} count={passwordsLeft} /> : null}
            {apps > 0 ? <Count label={t('toApp')} count={apps} /> : null}
            {appsLeft > 0 ? <Count label={t('appLeft')} count={appsLeft} /> : null}
            {wrong > 0 ? <Count label={t('wrongCount')} count={wrong} /> : null}
          </KeyValues>
          {unused.length > 0 ? (
            <p className="wrap-anywhere text-ink-second text-note">{t('unused', { names: unused.join(', ') })}</p>
          ) : null}
        </section>
      ) : null}
      {faults.length > 0 ? <Wrong preview={preview} count={wrong} /> : null}
      {preview.rows.length > 0 ? <Changes preview={preview} /> : null}
      <div className={wizardButtons}>
        <Button variant="secondary" onClick={onBack}>
          {t('back')}
        </Button>
        {changing > 0 ? (
          <Button pending={pending} onClick={() => void start()}>
            {t('start', { count: changing })}
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
  // a fault of all rows is shown once
  const otherFaults = faults.filter(({ code }) => code !== missingFieldCode)
  const listed = otherFaults.slice(0, shownFaults)
  const total = count - lacking.rows
  const save = () => {
    const rows = faults.map(({ row, code, params: { column, ...params }, cells }) => {
      const faultText = errorText(code, params)
      return [...cells, String(row), column ? `${column}: ${faultText}` : faultText]
    })
    void saveCsv(t('wrongName'), [[...head, t('wrongHead.row'), t('wrongHead.error')], ...rows])
  }
  return (
    <section className="@container grid gap-2.5">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h2 className="text-section">{t('wrongRows')}</h2>
          {listed.length < total ? (
            <p className="text-ink-second text-note">{t('wrongFirst', { shown: listed.length, count: total })}</p>
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
      {listed.length > 0 ? <RowFaults faults={listed} /> : null}
    </section>
  )
}

/** The changes of the first rows, cell by cell: the present value, and the new one. */
function Changes({ preview: { rows, create, update } }: { preview: ImportPreview }) {
  const t = useTranslations('user-import')
  const count = create + update
  return (
    <section className="@container grid gap-2.5">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 className="text-section">{t('changes')}</h2>
        {rows.length < count ? (
          <p className="text-ink-second text-note">{t('wrongFirst', { shown: rows.length, count })}</p>
        ) : null}
      </div>
      <ul className="rounded-card border border-line bg-surface">
        {rows.map(({ row, title, create: isNew, changes }) => (
          <li key={row} className="grid gap-2 border-line border-t px-4 py-3 text-table first:border-t-0">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="wrap-anywhere min-w-0 grow font-medium">{title}</span>
              <Pill tone={isNew ? 'ok' : 'neutral'}>{t(isNew ? 'new' : 'present')}</Pill>
            </div>
            <dl className="grid gap-x-4 gap-y-1.5 @min-[34rem]:grid-cols-[10rem_minmax(0,1fr)]">
              {/* the row's name is above */}
              {changes
                .filter(({ before, after }) => before !== '' || after !== title)
                .map(({ column, before, after }) => (
                  <Fragment key={column}>
                    <dt className="wrap-anywhere text-ink-second text-note">{column}</dt>
                    <dd className="wrap-anywhere min-w-0 whitespace-pre-line">
                      {before ? (
                        <>
                          <del className="text-ink-second">{before}</del>
                          <span aria-hidden="true"> → </span>
                        </>
                      ) : null}
                      <ins className="no-underline">{after}</ins>
                    </dd>
                  </Fragment>
                ))}
            </dl>
          </li>
        ))}
      </ul>
    </section>
  )
}
