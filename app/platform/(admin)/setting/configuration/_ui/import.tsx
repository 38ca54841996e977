'use client'

import { Upload } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { CheckboxField } from '@/components/form/checkbox-field'
import { ownField } from '@/components/form/field-name'
import { PasswordField } from '@/components/form/password-field'
import { useErrorText } from '@/components/form/use-error-text'
import { useFileChoice } from '@/components/form/use-file-choice'
import { useWriter } from '@/components/form/use-write'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Mono } from '@/components/ui/mono'
import { useLater } from '@/components/ui/use-later'
import type { CallError } from '@/lib/base/http/client'
import type { FieldError } from '@/lib/base/runtime/errors'
import type { Outcome } from '@/lib/operations/configuration-file/contract'
import { countsOf, Difference, useChangesText } from './difference'

const calls = () => import('@/lib/operations/configuration-file/contract')
const loadQuestion = () => import('@/components/ui/confirm-dialog').then((part) => part.ConfirmDialog)

const rule = { types: ['application/json'], max: 16 * 1024 ** 2 }

type Refusal = { title: string; text: string; faults: FieldError[]; again: boolean }

/** The steps of an import: a file is chosen, compared, reviewed, and only then applied. */
export function Import() {
  const t = useTranslations('configuration')
  const { write, pending, reason } = useWriter()
  const [file, setFile] = useState<File | null>(null)
  const [passphrase, setPassphrase] = useState('')
  const [prune, setPrune] = useState(false)
  const [comparison, setComparison] = useState<Outcome | null>(null)
  const [applied, setApplied] = useState<Outcome | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [asking, setAsking] = useState(false)
  const { Part: ConfirmDialog, wake } = useLater(loadQuestion)
  const changesText = useChangesText()
  const outcome = useRef<HTMLDivElement>(null)
  // it is below a form that fills the page
  useEffect(() => {
    if (comparison || applied || refusal) outcome.current?.scrollIntoView({ block: 'start' })
  }, [comparison, applied, refusal])
  /** The comparison is that of another file or of other options. */
  const reset = () => {
    setComparison(null)
    setApplied(null)
    setRefusal(null)
  }
  const { open, input, fault } = useFileChoice({
    rule,
    label: t('file'),
    onChoose: (chosen) => {
      reset()
      setFile(chosen)
    },
  })
  const body = (chosen: File) => ({
    file: chosen,
    prune: prune ? ('true' as const) : ('false' as const),
    ...(passphrase ? { passphrase } : {}),
  })
  const refusalOf = (error: CallError): Refusal => {
    const faults = error.errorList
    if (error.status === 409) return { title: t('conflictTitle'), text: t('conflictText'), faults: [], again: true }
    return { title: t('refused'), text: faults.length > 0 ? t('refusedText') : reason(error), faults, again: false }
  }
  const compare = async () => {
    if (!file) return
    reset()
    const contract = () => calls().then(({ compareConfiguration }) => compareConfiguration)
    const answer = await write(contract, { body: body(file) }, { failure: 'form', quiet: true })
    if (answer?.ok) setComparison(answer.output)
    else if (answer) setRefusal(refusalOf(answer.error))
  }
  const apply = async () => {
    if (!file || !comparison) return undefined
    const sent = { body: { ...body(file), version: comparison.version } }
    const contract = () => calls().then(({ importConfiguration }) => importConfiguration)
    const answer = await write(contract, sent, { failure: 'form' })
    reset()
    if (answer?.ok) setApplied(answer.output)
    else if (answer) setRefusal(refusalOf(answer.error))
    return undefined
  }
  return (
    <section aria-labelledby="configuration-import" className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
      <h2 id="configuration-import" className="text-section">
        {t('importTitle')}
      </h2>
      <Card className="grid gap-5">
        <p className="text-ink-second text-table">{t('importText')}</p>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button variant="secondary" onClick={open}>
            <Upload aria-hidden="true" className="size-4" />
            {t(file ? 'other' : 'choose')}
          </Button>
          <p className="wrap-anywhere min-w-0 text-table">
            {file ? file.name : <span className="text-ink-second">{t('fileHint')}</span>}
          </p>
        </div>
        {input}
        {fault ? (
          <p role="alert" className="text-danger text-table">
            {t(fault)}
          </p>
        ) : null}
        {file ? (
          <form
            noValidate
            className="grid max-w-[30rem] gap-4"
            onSubmit={(event) => {
              event.preventDefault()
              if (!pending) void compare()
            }}
          >
            <div className="grid gap-1.5">
              <PasswordField
                id="configuration-open"
                name={ownField('openPassphrase')}
                label={t('openPassphrase')}
                describedBy="configuration-open-hint"
                size="M"
                autoComplete="off"
                value={passphrase}
                onChange={({ target }) => {
                  reset()
                  setPassphrase(target.value)
                }}
              />
              <p id="configuration-open-hint" className="text-ink-second text-note">
                {t('openPassphraseHint')}
              </p>
            </div>
            <CheckboxField
              id="configuration-prune"
              checked={prune}
              onChange={({ target }) => {
                reset()
                setPrune(target.checked)
              }}
            >
              {t('prune')}
              <span className="block text-ink-second text-note">{t('pruneHint')}</span>
            </CheckboxField>
            <Button
              type="submit"
              variant={comparison && comparison.changes.length > 0 ? 'secondary' : 'primary'}
              pending={pending && !asking}
              className="justify-self-start"
            >
              {t('compare')}
            </Button>
          </form>
        ) : null}
      </Card>
      <div ref={outcome} className="grid scroll-mt-20 grid-cols-[minmax(0,1fr)] gap-5 pt-2.5 empty:hidden">
        {refusal ? <Refused {...refusal} onAgain={() => void compare()} /> : null}
        {comparison ? (
          comparison.changes.length === 0 ? (
            <Alert tone="ok" role="status" title={t('same')}>
              {t('sameText')}
            </Alert>
          ) : (
            <>
              <Difference changes={comparison.changes} />
              <Button
                {...wake}
                className="justify-self-start"
                onClick={(event) => {
                  setAsking(true)
                  wake.onClick(event)
                }}
              >
                {t('apply', { count: comparison.changes.length })}
              </Button>
              {ConfirmDialog ? (
                <ConfirmDialog
                  open={asking}
                  onOpenChange={setAsking}
                  title={t('applyTitle')}
                  text={t('applyText', { changes: changesText(comparison.changes) })}
                  confirm={t('applyNow')}
                  tone={comparison.changes.some(({ kind }) => kind === 'delete') ? 'danger' : 'primary'}
                  onConfirm={apply}
                />
              ) : null}
            </>
          )
        ) : null}
        {applied ? <ImportResult outcome={applied} /> : null}
      </div>
    </section>
  )
}

/** How many faults are shown at most; the others appear after these are corrected. */
const mostFaults = 20

function Refused({ title, text, faults, again, onAgain }: Refusal & { onAgain: () => void }) {
  const t = useTranslations('configuration')
  const errorText = useErrorText()
  return (
    <Alert tone={again ? 'warning' : 'danger'} role="alert" title={title}>
      <p>{text}</p>
      {faults.length > 0 ? (
        <ul className="mt-1 grid gap-2">
          {faults.slice(0, mostFaults).map(({ field, code, params }) => (
            <li key={`${field} ${code}`} className="grid">
              <Mono>{field}</Mono>
              <span>{errorText(code, params)}</span>
            </li>
          ))}
        </ul>
      ) : null}
      {again ? (
        <Button variant="secondary" size="S" onClick={onAgain} className="mt-2 justify-self-start">
          {t('compareAgain')}
        </Button>
      ) : null}
    </Alert>
  )
}

function ImportResult({ outcome: { changes, notes } }: { outcome: Outcome }) {
  const t = useTranslations('configuration')
  return (
    <>
      <Alert tone="ok" role="status" title={t('doneTitle')}>
        {t('counts', countsOf(changes))}
      </Alert>
      {notes.length > 0 ? (
        <Alert tone="warning" title={t('notesTitle')}>
          <ul className="grid gap-2">
            {notes.map(({ section, key, code }) => (
              <li key={`${section} ${key} ${code}`} className="grid">
                <span className="wrap-anywhere font-medium">{key}</span>
                <span>{t(`notes.${code}`)}</span>
              </li>
            ))}
          </ul>
        </Alert>
      ) : null}
    </>
  )
}
