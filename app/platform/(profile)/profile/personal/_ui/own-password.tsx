'use client'

import { useTranslations } from 'next-intl'
import { useId, useState } from 'react'
import { DialogForm } from '@/components/form/dialog-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormCode } from '@/components/form/form-code'
import { FormPassword } from '@/components/form/form-password'
import { PasswordMarks } from '@/components/form/password-marks'
import { useContractForm } from '@/components/form/use-contract-form'
import { useWriter } from '@/components/form/use-write'
import { changePassword, requestPasswordCode } from '@/lib/my-account/password/contract'
import type { PasswordRules } from '@/lib/sign-in/passwords/rules'

type Props = { rules: PasswordRules; digits: number; byCode: boolean; onDone: () => void }

/** A new password with its rules, and the proof of the person: the current password, or a code. */
export function OwnPassword({ rules, digits, byCode, onDone }: Props) {
  const t = useTranslations('account.access')
  const marks = useId()
  const [isSent, setSent] = useState(false)
  const form = useContractForm(changePassword, {
    defaultValues: { actual: '', code: '', password: '', rePassword: '' },
    needed: [byCode ? 'code' : 'actual'],
    onDone,
  })
  const field = fieldsOf(form)
  const { write, reason } = useWriter()
  return (
    <DialogForm form={form} verb={byCode && !isSent ? null : t('save')}>
      {byCode ? null : <FormPassword name={field('actual')} label={t('actual')} autoComplete="current-password" />}
      <div className="grid gap-3">
        <FormPassword name={field('password')} label={t('password')} autoComplete="new-password" describedBy={marks} />
        <PasswordMarks id={marks} rules={rules} password={form.form.watch('password') ?? ''} />
      </div>
      <FormPassword name={field('rePassword')} label={t('rePassword')} autoComplete="new-password" />
      {byCode ? (
        <FormCode
          name={field('code')}
          label={t('code')}
          length={digits}
          reason={reason}
          send={() => write(requestPasswordCode, {}, { failure: 'inside' })}
          onSent={() => setSent(true)}
        />
      ) : null}
    </DialogForm>
  )
}
