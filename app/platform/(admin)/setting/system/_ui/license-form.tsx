'use client'

import { useFormatter, useTranslations } from 'next-intl'
import { useState } from 'react'
import { DialogForm } from '@/components/form/dialog-form'
import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import { FormText, FormTextarea } from '@/components/form/form-text'
import { useContractForm } from '@/components/form/use-contract-form'
import { useWriter } from '@/components/form/use-write'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { checkLicense, saveLicense } from '@/lib/operations/license/contract'

type CheckResult = { failed: boolean; text: string }

/** The form for the key and the domain of a license; it shows the license's content before it is saved. */
export function LicenseForm({ domain, onDone }: { domain: string; onDone: () => void }) {
  const t = useTranslations('license')
  const format = useFormatter()
  // a key from a mail has line breaks
  const toBody = ({ key, domain: host }: BodyOf<typeof saveLicense>) => ({ key: key.replace(/\s+/g, ''), domain: host })
  const form = useContractForm(saveLicense, { defaultValues: { key: '', domain }, toBody, onDone })
  const { write, pending, reason } = useWriter()
  const [checkResult, setCheckResult] = useState<CheckResult | null>(null)
  const field = fieldsOf(form)
  const check = async () => {
    setCheckResult(null)
    if (!(await form.form.trigger())) return
    const outcome = await write(checkLicense, { body: toBody(form.form.getValues()) }, { failure: 'form', quiet: true })
    if (!outcome) return
    if (!outcome.ok) return setCheckResult({ failed: true, text: reason(outcome.error) })
    const { owner, expiresAt, sessions } = outcome.output
    const date = expiresAt && format.dateTime(new Date(expiresAt), { day: 'numeric', month: 'long', year: 'numeric' })
    const text = t('checkedText', {
      owner,
      expires: date ? t('until', { date }) : t('forever'),
      sessions: sessions ? t('sessionsUpTo', { count: sessions }) : t('any'),
    })
    setCheckResult({ failed: false, text: `${t('checked')}: ${text}` })
  }
  return (
    <DialogForm form={form} verb={t('save')}>
      <FormTextarea name={field('key')} label={t('key')} hint={t('keyHint')} rows={5} maxLength={8_000} />
      <FormText mono name={field('domain')} label={t('domain')} hint={t('domainHint')} maxLength={253} />
      <div className="grid gap-2">
        <Button variant="secondary" size="S" pending={pending} onClick={check} className="justify-self-start">
          {t('check')}
        </Button>
        <p role="status" className={cn('wrap-anywhere text-note', checkResult?.failed ? 'text-danger' : 'text-ok')}>
          {checkResult?.text}
        </p>
      </div>
    </DialogForm>
  )
}
