import { useTranslations } from 'next-intl'
import { FailureAlert } from '../../../_ui/failure-alert'
import type { FormFailure } from '../../../_ui/form-failure'

type Props = { failed: FormFailure | null; fields: Record<string, { id: string; label: string }> }

/** Why the invitation could not be accepted. */
export function AcceptFailure({ failed, fields }: Props) {
  const t = useTranslations()
  return (
    <FailureAlert
      failure={failed?.failure ?? null}
      fields={fields}
      formTitle={t('errors.errorFields')}
      action={t('invitation.acceptFailed')}
    />
  )
}
