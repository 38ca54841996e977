'use client'

import { useTranslations } from 'next-intl'
import { type ChangeEvent, useState } from 'react'
import { PasswordField } from '@/components/form/password-field'
import { PasswordMarks } from '@/components/form/password-marks'
import { useErrorText } from '@/components/form/use-error-text'
import { Button } from '@/components/ui/button'
import { buttonClasses } from '@/components/ui/button-classes'
import type { setEntryPassword } from '@/lib/entry/passwords/contract'
import { passwordPaths } from '@/lib/entry/passwords/paths'
import { generatePassword, isAcceptable, type PasswordRules } from '@/lib/entry/passwords/rules'
import type { FieldError } from '@/lib/kernel/errors'
import { CallError, call } from '@/lib/kernel/http/client'
import { AccountName } from '../../../../_ui/account-name'
import { FailureSummary } from '../../../../_ui/failure-summary'
import { StepTitle } from '../../../../_ui/step-title'
import { SubmitButton } from '../../../../_ui/submit-button'
import { useSubmission } from '../../../../_ui/use-submission'

type Name = 'password' | 'repeatPassword'
const ids = { password: 'new-password', repeatPassword: 'new-password-repeat', marks: 'new-password-rules' }

/** What the server says of a link that died while the page was open: drawn anew, the page tells why. */
const deadLink = new Set(['linkUsed', 'canceledError', 'accessError', 'notFound', 'conflict'])

const signInPage = '/platform/login'

/** An unbiased random integer below `below`, of the browser's own source. */
function secureRandom(below: number): number {
  const limit = Math.floor(2 ** 32 / below) * below
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1))
  return value < limit ? value % below : secureRandom(below)
}

/** Asks for a new password with its rules marked as one types. `login` is for password managers. */
export function SetPassword({ id, rules, login }: { id: string; rules: PasswordRules; login: string }) {
  const t = useTranslations('entry.password')
  const errorText = useErrorText()
  const [values, setValues] = useState({ password: '', repeatPassword: '' })
  const tCommon = useTranslations('common')
  const [generated, setGenerated] = useState<'yes' | 'noLuck' | null>(null)
  const [saved, setSaved] = useState(false)
  const [shown, setShown] = useState(false)

  const check = (): FieldError[] => {
    const { password, repeatPassword } = values
    const faults: FieldError[] = []
    if (password === '') faults.push({ field: 'password', code: 'errorEmpty' })
    else if (!isAcceptable(rules, password)) faults.push({ field: 'password', code: 'errorPasswordRules' })
    if (repeatPassword === '') faults.push({ field: 'repeatPassword', code: 'errorEmpty' })
    else if (password !== repeatPassword)
      for (const field of ['password', 'repeatPassword'] as const)
        if (!faults.some((fault) => fault.field === field)) faults.push({ field, code: 'errorMatch' })
    return faults
  }
  const { failed, errors, pending, submit, forget, reset } = useSubmission({
    check,
    send: async () => {
      try {
        const { redirect } = await call<typeof setEntryPassword>(passwordPaths.entry, { params: { id }, body: values })
        // whoever isn't signed in by it must hear that it was saved before signing in
        if (redirect === signInPage) setSaved(true)
        else window.location.assign(redirect)
      } catch (error) {
        if (!(error instanceof CallError && deadLink.has(error.code))) throw error
        window.location.reload()
      }
      return 'done'
    },
  })

  const generate = () => {
    const made = generatePassword(rules, secureRandom)
    setGenerated(made === null ? 'noLuck' : 'yes')
    if (made === null) return
    setValues({ password: made, repeatPassword: made })
    reset()
    setShown(true)
  }
  const change = (name: Name, value: string) => {
    setValues({ ...values, [name]: value })
    setGenerated(null)
    // of two that differ, both say so, and correcting either clears both
    forget(name)
    const other = name === 'password' ? 'repeatPassword' : 'password'
    if (errors[other] === 'errorMatch') forget(other)
  }
  const field = (name: Name) => ({
    name,
    id: ids[name],
    value: values[name],
    onChange: (event: ChangeEvent<HTMLInputElement>) => change(name, event.target.value),
    error: errors[name] && errorText(errors[name]),
    autoComplete: 'new-password',
    shown,
    onShownChange: setShown,
  })
  if (saved)
    return (
      <div className="grid animate-arrive gap-6">
        <StepTitle moved lead={t('saved.text')}>
          {t('saved.title')}
        </StepTitle>
        <a href={signInPage} className={buttonClasses({ size: 'L' })}>
          {tCommon('toSignIn')}
        </a>
      </div>
    )
  return (
    <div data-step className="grid animate-arrive grid-cols-1 gap-6">
      <StepTitle moved={false} lead={t('lead')}>
        {t('title')}
      </StepTitle>
      <FailureSummary
        failed={failed}
        formTitle={errorText('errorFields')}
        fields={{
          password: { id: ids.password, label: t('password') },
          repeatPassword: { id: ids.repeatPassword, label: t('repeat') },
        }}
      />
      <form noValidate onSubmit={submit} className="grid gap-6">
        <AccountName value={login} />
        <div className="grid gap-3">
          <PasswordField {...field('password')} label={t('password')} describedBy={ids.marks} />
          <PasswordMarks id={ids.marks} rules={rules} password={values.password} />
        </div>
        <PasswordField {...field('repeatPassword')} label={t('repeat')} enterKeyHint="go" />
        {rules.generate ? (
          <div className="grid gap-2">
            <Button variant="secondary" onClick={generate} className="justify-self-start">
              {t('generate')}
            </Button>
            <p
              role="status"
              className={generated === 'noLuck' ? 'text-note text-warning' : 'text-ink-second text-note'}
            >
              {generated === 'noLuck' ? t('generateFailed') : generated ? t('generated') : ''}
            </p>
          </div>
        ) : null}
        <SubmitButton pending={pending}>{t('save')}</SubmitButton>
      </form>
    </div>
  )
}
