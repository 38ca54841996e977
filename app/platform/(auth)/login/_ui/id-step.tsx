'use client'

import { useTranslations } from 'next-intl'
import { lazy, type ReactNode, useEffect, useState } from 'react'
import { bodyFields } from '@/components/form/field-name'
import { focused } from '@/components/form/focused'
import { TextField } from '@/components/form/text-field'
import { useErrorText } from '@/components/form/use-error-text'
import type { authConfig, authLogin, IdAttribute } from '@/lib/sign-in/attempts/contract'
import { identifierKind } from '@/lib/sign-in/attempts/identifier-kind'
import { authPaths } from '@/lib/sign-in/attempts/paths'
import { AuthSubmitButton } from '../../_ui/auth-submit-button'
import { FailureLater } from '../../_ui/failure-later'
import { FieldMessage, useOneField } from '../../_ui/one-field'
import { StepTitle, stepForm } from '../../_ui/step-title'
import { useSubmission } from '../../_ui/use-submission'
import { LazyPart } from './lazy-part'
import { rememberWish } from './remember-wish'
import { takeTyped } from './type-ahead'
import type { StartedAttempt } from './view'

type Props = {
  allowed: [IdAttribute, ...IdAttribute[]]
  identifier: string
  /** The account that this device remembers. It is offered until the person enters another identifier. */
  remembered: string | undefined
  path: string | undefined
  moved: boolean
  expired: boolean
  /** Shown if no script runs. */
  noScript: ReactNode
  providers: ReactNode
  registration: ReactNode
  /** Whether the person goes on here, although an identity provider may claim the domain of their e-mail. */
  here: boolean
  /** Takes the attempt; returns false if the page can't show any of its flows. */
  onStarted: (attempt: StartedAttempt) => Promise<boolean>
}

const RememberedAccount = lazy(async () => ({ default: (await import('./remembered-account')).RememberedAccount }))

const name = bodyFields<typeof authLogin>()('username')
const fieldId = 'sign-in-identifier'
/** Loaded when the person begins to type, because the page sends nothing before. */
const fetchCall = () => import('@/lib/base/http/client')
const hintId = 'sign-in-remember-hint'
const typedIn = (data: FormData) => String(data.get(name) ?? '').trim()
const order: IdAttribute[] = ['login', 'email', 'mobile']
const ownNames = [name, ...order]

/**
 * Asks who signs in: one field for every kind of identifier that is accepted here, or the account that this device
 * remembers.
 */
export function IdStep({
  allowed,
  identifier,
  remembered,
  path,
  moved,
  expired,
  noScript,
  providers,
  registration,
  here,
  onStarted,
}: Props) {
  const t = useTranslations('entry')
  const tCommon = useTranslations('common')
  const errorText = useErrorText()
  const [typed, setTyped] = useState(identifier)
  const [card, setCard] = useState(identifier === '' ? remembered : undefined)

  const { failed, errors, pending, submit, forget } = useSubmission({
    expired,
    check: (data) => (typedIn(data) ? [] : [{ field: name, code: 'errorEmpty' }]),
    // the call's field is named after the kind of identifier
    fieldOf: (field) => ((order as string[]).includes(field) ? name : field),
    send: async (data) => {
      const value = typedIn(data)
      setTyped(value)
      // the wish is stored until the person has signed in
      if (!card) sessionStorage.setItem(rememberWish, data.has(rememberWish) ? value : '')
      const idAttribute = identifierKind(value, allowed)
      const { call } = await fetchCall()
      const answer = await call<typeof authConfig>(authPaths.config, {
        params: { idAttribute },
        query: { [idAttribute]: value, path, ...(here ? { here: '1' } : {}) },
      })
      // an identity provider claims the domain of the e-mail
      if (answer.leads) {
        window.location.assign(answer.leads)
        return 'done'
      }
      const stepShown = await onStarted({ idAttribute, identifier: value, ...answer })
      return stepShown ? 'done' : { kind: 'tech', requestId: undefined }
    },
  })
  const summary = useOneField(failed, fieldId, ownNames)
  useEffect(() => {
    if (failed) takeTyped()
  }, [failed])

  const kinds = order.filter((kind) => allowed.includes(kind)).join('_')
  const justMobile = kinds === 'mobile'
  const error = errors[name] && errorText(errors[name])
  // otherwise the remembered account would return as soon as the person corrects a refused identifier
  if (card && error) setCard(undefined)
  return (
    <div data-step className="grid animate-arrive grid-cols-1 gap-6">
      <StepTitle moved={moved} lead={t('id.lead')}>
        {t('id.title')}
      </StepTitle>
      {noScript}
      <FailureLater announced failed={summary} fields={{}} />
      <FieldMessage>{error}</FieldMessage>
      <form {...stepForm} data-type-ahead onSubmit={submit} className="grid gap-6">
        {card ? (
          <LazyPart later={moved}>
            <RememberedAccount account={card} name={name} pending={pending} onOther={() => setCard(undefined)} />
          </LazyPart>
        ) : (
          <>
            <div className="grid gap-4">
              <TextField
                name={name}
                id={fieldId}
                size="L"
                label={t('id.label', { kinds })}
                error={error}
                defaultValue={typed}
                {...focused}
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
              <label className="flex cursor-pointer items-start gap-3">
                <input
                  type="checkbox"
                  name={rememberWish}
                  aria-describedby={hintId}
                  className="mt-0.5 size-5 shrink-0 cursor-pointer accent-brand"
                />
                <span>
                  {t('remember.label')}
                  <span id={hintId} className="block text-ink-second text-note">
                    {t('remember.hint')}
                  </span>
                </span>
              </label>
            </div>
            <AuthSubmitButton pending={pending}>{tCommon('continue')}</AuthSubmitButton>
          </>
        )}
      </form>
      {providers}
      {registration}
    </div>
  )
}
