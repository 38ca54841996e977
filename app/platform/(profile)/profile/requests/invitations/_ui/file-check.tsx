'use client'

import { Download } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useEffect, useRef } from 'react'
import { RowFaults } from '@/components/batch-job/run-log'
import { useErrorText } from '@/components/form/use-error-text'
import { useWriter } from '@/components/form/use-write'
import { AddressText } from '@/components/ui/address-text'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { DialogBody, DialogFooter } from '@/components/ui/dialog'
import { saveCsv } from '@/components/ui/save-csv'
import { type Preview, startInvitationImport } from '@/lib/joining/invitation-import/contract'
import { bodyOf, type Source } from './file-source'

type Props = { preview: Preview; source: Source; onBack: () => void; onStarted: (id: string) => void }

/** What the list would do, row by row. The submit button says how many invitations are sent. */
export function FileCheck({ preview, source, onBack, onStarted }: Props) {
  const t = useTranslations('invitation-import')
  const { write, pending } = useWriter()
  const { total, good, ignored, invitations, faults } = preview
  const wrong = total - good
  const result = useRef<HTMLDivElement>(null)
  // the form that had the focus was removed
  useEffect(() => result.current?.focus(), [])
  const start = async () => {
    const outcome = await write(startInvitationImport, { body: bodyOf(source) })
    if (outcome?.ok) onStarted(outcome.output.id)
  }
  return (
    <>
      <DialogBody className="grid content-start gap-6" label={t('checkedTitle')}>
        <div ref={result} tabIndex={-1} data-quiet-focus className="grid gap-2.5">
          <Alert tone={good > 0 ? 'ok' : 'danger'} title={good > 0 ? t('good', { count: good }) : t('none')}>
            {wrong > 0 && good > 0 ? <p>{t('wrong', { count: wrong })}</p> : null}
          </Alert>
          {ignored.length > 0 ? (
            <p className="text-ink-second text-note">{t('ignored', { names: ignored.join(', ') })}</p>
          ) : null}
        </div>
        {faults.length > 0 ? <Wrong faults={faults} count={wrong} /> : null}
        {invitations.length > 0 ? <Good invitations={invitations} count={good} /> : null}
      </DialogBody>
      <DialogFooter>
        <Button variant="secondary" onClick={onBack}>
          {t('back')}
        </Button>
        {good > 0 ? (
          <Button pending={pending} onClick={() => void start()}>
            {t('send', { count: good })}
          </Button>
        ) : null}
      </DialogFooter>
    </>
  )
}

function Wrong({ faults, count }: { faults: Preview['faults']; count: number }) {
  const t = useTranslations('invitation-import')
  const errorText = useErrorText()
  const save = () => {
    const head = [t('columns.row'), t('columns.email'), t('columns.error')]
    const rows = faults.map(({ row, email, code, params }) => [String(row), email, errorText(code, params)])
    void saveCsv(t('wrongName'), [head, ...rows])
  }
  return (
    <section className="@container grid gap-2.5">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h3 className="text-section">{t('wrongRows')}</h3>
          {faults.length < count ? (
            <p className="text-ink-second text-note">{t('wrongFirst', { shown: faults.length, count })}</p>
          ) : null}
        </div>
        <Button variant="secondary" size="S" onClick={save}>
          <Download aria-hidden="true" className="size-4" />
          {t('downloadWrong')}
        </Button>
      </div>
      <RowFaults faults={faults.map(({ email, ...fault }) => ({ ...fault, title: email }))} />
    </section>
  )
}

function Good({ invitations, count }: { invitations: Preview['invitations']; count: number }) {
  const t = useTranslations('invitation-import')
  return (
    <section className="@container grid gap-2.5">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h3 className="text-section">{t('goodRows')}</h3>
        {invitations.length < count ? (
          <p className="text-ink-second text-note">{t('goodFirst', { shown: invitations.length, count })}</p>
        ) : null}
      </div>
      <ul className="rounded-card border border-line">
        {invitations.map(({ row, email, contractor, access }) => (
          <li
            key={row}
            className="grid gap-x-5 gap-y-0.5 border-line border-t px-4 py-2.5 text-table first:border-t-0 @min-[34rem]:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]"
          >
            <span className="wrap-anywhere min-w-0 font-medium">
              <AddressText>{email}</AddressText>
            </span>
            <span className="wrap-anywhere grid min-w-0">
              <span>{contractor}</span>
              {access.map(({ organization, roles }) => (
                <span key={organization} className="text-ink-second text-note">
                  {organization}: {roles.join(', ')}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
