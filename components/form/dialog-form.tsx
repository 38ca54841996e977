'use client'

import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { DialogBody, DialogCancel, DialogFooter } from '../ui/dialog'
import { Form, FormErrors, useGone } from './form'
import { HeldFields } from './held-fields'
import { SubmitButton } from './submit-button'
import type { FormOf } from './use-contract-form'

type Props = {
  form: FormOf<unknown>
  /** The label of the submit button; null while another step comes first, such as sending a code. */
  verb: string | null
  /** Whether submitting takes something away. */
  danger?: boolean
  children: ReactNode
}

/** A form that fills a dialog: the errors, the fields, and at the bottom *Cancel* and the submit button. */
export function DialogForm({ form, verb, danger, children }: Props) {
  return (
    <Form form={form} className="contents">
      <DialogBody className="grid content-start gap-5">
        <FormErrors />
        <HeldFields pending={form.pending}>{children}</HeldFields>
      </DialogBody>
      <DialogFooter>
        <DialogCancel />
        {verb === null ? null : <Submit verb={verb} danger={danger} />}
      </DialogFooter>
    </Form>
  )
}

/** The submit button; for a deleted object, the actions that are still possible. */
function Submit({ verb, danger }: { verb: string; danger: boolean | undefined }) {
  const t = useTranslations('ui.conflict')
  const { gone, again } = useGone()
  if (gone && !again) return null
  if (gone) return <SubmitButton>{t('createAgain')}</SubmitButton>
  return <SubmitButton {...(danger ? { variant: 'danger' } : {})}>{verb}</SubmitButton>
}
