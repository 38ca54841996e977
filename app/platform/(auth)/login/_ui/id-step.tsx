'use client'

import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { bodyFields } from '@/components/form/field-name'
import { TextField } from '@/components/form/text-field'
import { useErrorText } from '@/components/form/use-error-text'
import type { authConfig, authLogin, IdAttribute } from '@/lib/entry/sign-in/contract'
import { identifierKind } from '@/lib/entry/sign-in/identifier-kind'
import { authPaths } from '@/lib/entry/sign-in/paths'
import { AuthSubmitButton } from '../../_ui/auth-submit-button'
import { FailureLater } from '../../_ui/failure-later'
import { StepTitle } from '../../_ui/step-title'
import { useSubmission } from '../../_ui/use-submission'
import type { StartedAttempt } from './view'

type Props = {
  allowed: [IdAttribute, ...IdAttribute[]]
  identifier: string
  path: string | undefined
  moved: boolean
  expired: boolean
  /** Said where no script runs. */
  noScript: ReactNode
  /** Takes the attempt; false when none of its flows can be shown. */
  onStarted: (attempt: StartedAttempt) => Promise<boolean>
}

const name = bodyFields<typeof authLogin>()('username')
const fieldId = 'sign-in-identifier'
/** Loaded when somebody begins to type: until then the page sends nothing. */
const fetchCall = () => import('@/lib/kernel/http/client')
const typedIn = (data: FormData) => String(data.get(name) ?? '').trim()
const order: IdAttribute[] = ['login', 'email', 'mobile']

/** Asks who signs in: one field for every kind of identifier offered here. */
export function IdStep({ allowed, identifier, path, moved, expired, noScript, onStarted }: Props) {
  const t = useTranslations('entry')
  const tCommon = useTranslations('common')
  const errorText = useErrorText()
  const [typed, setTyped] = useState(identifier)

  const { failed, errors, pending, submit, forget } = useSubmission({
    expired,
    check: (data) => (typedIn(data) ? [] : [{ field: name, code: 'errorEmpty' }]),
    // calls name the field by the kind of identifier
    fieldOf: (field) => ((order as string[]).includes(field) ? name : field),
    send: async (data) => {
      const value = typedIn(data)
      setTyped(value)
      const idAttribute = identifierKind(value, allowed)
      const { call } = await fetchCall()
      const answer = await call<typeof authConfig>(authPaths.config, {
        params: { idAttribute },
        query: { [idAttribute]: value, path },
      })
      const shown = await onStarted({ idAttribute, identifier: value, ...answer })
      return shown ? 'done' : { kind: 'tech', requestId: undefined }
    },
  })

  const kinds = order.filter((kind) => allowed.includes(kind)).join('_')
  const label = t('id.label', { kinds })
  const field = { id: fieldId, label }
  const justMobile = kinds === 'mobile'
  return (
    <div data-step className="grid animate-arrive grid-cols-1 gap-6">
      <StepTitle moved={moved} lead={t('id.lead')}>
        {t('id.title')}
      </StepTitle>
      {noScript}
      <FailureLater failed={failed} fields={{ [name]: field, login: field, email: field, mobile: field }} />
      <form noValidate action={submit} onSubmit={submit} className="grid gap-6">
        <TextField
          name={name}
          id={fieldId}
          size="L"
          label={label}
          error={errors[name] && errorText(errors[name])}
          defaultValue={typed}
          onChange={() => {
            void fetchCall().catch(() => undefined)
            forget(name)
          }}
          type="text"
          inputMode={justMobile ? 'tel' : allowed.includes('email') ? 'email' : 'text'}
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="next"
        />
        <AuthSubmitButton pending={pending}>{tCommon('continue')}</AuthSubmitButton>
      </form>
    </div>
  )
}
