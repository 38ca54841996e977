'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { fieldsOf } from '@/components/form/field-name'
import { Form, FormErrors } from '@/components/form/form'
import { FormCode } from '@/components/form/form-code'
import { FormPassword } from '@/components/form/form-password'
import { FormText } from '@/components/form/form-text'
import { SubmitButton } from '@/components/form/submit-button'
import { useContractForm } from '@/components/form/use-contract-form'
import { useWriter } from '@/components/form/use-write'
import { DialogBody, DialogCancel, DialogFooter } from '@/components/ui/dialog'
import { leaveNow, markSigningOut } from '@/components/ui/leaving'
import { LinkButton } from '@/components/ui/text-link'
import { call } from '@/lib/base/http/client'
import { deleteProfile, requestDeletionCode } from '@/lib/my-account/deletion/contract'

type Props = { login: string; digits: number; hasPassword: boolean }

/** Deletes the account: the person types their login, and proves themselves by the password or by a code. */
export function DeleteAccount({ login, digits, hasPassword }: Props) {
  const t = useTranslations('account.deletion')
  const [byCode, setByCode] = useState(!hasPassword)
  const [isSent, setSent] = useState(false)
  const form = useContractForm(deleteProfile, {
    defaultValues: { login: '', password: '', code: '' },
    needed: [byCode ? 'code' : 'password'],
    // the live event that the session has ended may come before the answer; both would leave the page
    send: async (body) => {
      markSigningOut(true)
      try {
        return await call(deleteProfile, { body })
      } catch (error) {
        markSigningOut(false)
        throw error
      }
    },
    // the account is deleted with all its sessions, and none of its data may stay in the page
    leaves: true,
    onDone: () => leaveNow(() => window.location.assign('/platform/login?ended=deleted')),
  })
  const field = fieldsOf(form)
  const { write, reason } = useWriter()
  return (
    <Form form={form} className="contents">
      <DialogBody className="grid content-start gap-5">
        <FormErrors />
        <FormText name={field('login')} label={t('login', { login })} />
        {byCode ? (
          <FormCode
            name={field('code')}
            label={t('code')}
            length={digits}
            reason={reason}
            send={() => write(requestDeletionCode, {}, { failure: 'inside' })}
            onSent={() => setSent(true)}
          />
        ) : (
          <FormPassword name={field('password')} label={t('password')} autoComplete="current-password" />
        )}
        {hasPassword ? (
          <LinkButton
            className="justify-self-start text-table pointer-coarse:min-h-11"
            onClick={() => {
              form.form.setValue(byCode ? 'code' : 'password', '')
              setByCode(!byCode)
              setSent(false)
            }}
          >
            {t(byCode ? 'byPassword' : 'byCode')}
          </LinkButton>
        ) : null}
      </DialogBody>
      <DialogFooter>
        <DialogCancel />
        {byCode && !isSent ? null : <SubmitButton variant="danger">{t('confirm')}</SubmitButton>}
      </DialogFooter>
    </Form>
  )
}
