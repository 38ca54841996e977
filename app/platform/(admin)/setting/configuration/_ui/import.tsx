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

/** A file is chosen, compared, looked at, and only then applied. */
export function Import() {
  const t = useTranslations('configuration')
  const { write, pending, reason } = useWriter()
  const [file, setFile] = useState<File | null>(null)
  const [passphrase, setPassphrase] = useState('')
  const [prune, setPrune] = useState(false)
  const [shown, setShown] = useState<Outcome | null>(null)
  const [done, setDone] = useState<Outcome | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [asking, setAsking] = useState(false)
  const { Part: ConfirmDialog, wake } = useLater(loadQuestion)
  const changesText = useChangesText()
  const outcome = useRef<HTMLDivElement>(null)
  // it stands below a form that fills the page
  useEffect(() => {
    if (shown || done || refusal) outcome.current?.scrollIntoView({ block: 'start' })
  }, [shown, done, refusal])
  /** What was shown is of another file or of other options. */
  const reset = () => {
    setShown(null)
    setDone(null)
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
  const refused = (error: CallError): Refusal => {
    const faults = error.errorList
    if (error.status === 409) return { title: t('conflictTitle'), text: t('conflictText'), faults: [], again: true }
    return { title: t('refused'), text: faults.length > 0 ? t('refusedText') : reason(error), faults, again: false }
  }
  const compare = async () => {
    if (!file) return
    reset()
    const contract = () => calls().then(({ compareConfiguration }) => compareConfiguration)
    const answer = await write(contract, { body: body(file) }, { failure: 'form', quiet: true })
    if (answer?.ok) setShown(answer.output)
    else if (answer) setRefusal(refused(answer.error))
  }
  const apply = async () => {
    if (!file || !shown) return undefined
    const sent = { body: { ...body(file), version: shown.version } }
    const contract = () => calls().then(({ importConfiguration }) => importConfiguration)
    const answer = await write(contract, sent, { failure: 'form' })
    reset()
    if (answer?.ok) setDone(answer.output)
    else if (answer) setRefusal(refused(answer.error))
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
              variant={shown && shown.changes.length > 0 ? 'secondary' : 'primary'}
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
        {shown ? (
          shown.changes.length === 0 ? (
            <Alert tone="ok" role="status" title={t('same')}>
              {t('sameText')}
            </Alert>
          ) : (
            <>
              <Difference changes={shown.changes} />
              <Button
                {...wake}
                className="justify-self-start"
                onClick={(event) => {
                  setAsking(true)
                  wake.onClick(event)
                }}
              >
                {t('apply', { count: shown.changes.length })}
              </Button>
              {ConfirmDialog ? (
                <ConfirmDialog
                  open={asking}
                  onOpenChange={setAsking}
                  title={t('applyTitle')}
                  text={t('applyText', { changes: changesText(shown.changes) })}
                  confirm={t('applyNow')}
                  tone={shown.changes.some(({ kind }) => kind === 'delete') ? 'danger' : 'primary'}
                  onConfirm={apply}
                />
              ) : null}
            </>
          )
        ) : null}
        {done ? <Done outcome={done} /> : null}
      </div>
    </section>
  )
}

/** The most faults that are shown at once; the rest follow once these are mended. */
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

function Done({ outcome: { changes, notes } }: { outcome: Outcome }) {
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
