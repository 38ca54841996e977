'use client'

import { useTranslations } from 'next-intl'
import type { ChangeEvent, ComponentProps } from 'react'
import { bodyFields } from '@/components/form/field-name'
import { focused } from '@/components/form/focused'
import { PasswordField } from '@/components/form/password-field'
import { PasswordMarks } from '@/components/form/password-marks'
import { useErrorText } from '@/components/form/use-error-text'
import { Button } from '@/components/ui/button'
import type { registrationComplete } from '@/lib/joining/registration/contract'
import type { PasswordName, usePasswordPair } from './use-password-pair'

const bodyField = bodyFields<typeof registrationComplete>()

export const passwordIds = {
  password: 'new-password',
  repeatPassword: 'new-password-repeat',
  marks: 'new-password-rules',
}

type Props = {
  pair: ReturnType<typeof usePasswordPair>
  /** The error codes by field, and the function that removes one, from useSubmission. */
  errors: Record<string, string>
  forget: (field: string) => void
  enterKeyHint?: ComponentProps<'input'>['enterKeyHint']
  /** The page opens with the focus in its first field. */
  opens?: boolean
}

/** A new password with its rules, which are checked while the person types, its repetition, and Generate. */
export function PasswordPair({ pair, errors, forget, enterKeyHint = 'next', opens = false }: Props) {
  const t = useTranslations('entry.password')
  const errorText = useErrorText()
  const { rules, values, generated, shown, setShown } = pair

  const change = (name: PasswordName, value: string) => {
    pair.change(name, value)
    // if the two differ, both show the error, and editing either removes it from both
    forget(name)
    const otherField = name === 'password' ? 'repeatPassword' : 'password'
    if (errors[otherField] === 'errorMatch') forget(otherField)
  }
  const generate = () => {
    if (!pair.generate()) return
    forget('password')
    forget('repeatPassword')
  }
  const field = (name: PasswordName) => ({
    name: bodyField(name),
    id: passwordIds[name],
    value: values[name],
    onChange: (event: ChangeEvent<HTMLInputElement>) => change(name, event.target.value),
    error: errors[name] && errorText(errors[name]),
    autoComplete: 'new-password',
    shown,
    onShownChange: setShown,
  })
  return (
    <>
      <div className="grid gap-3">
        <PasswordField
          {...field('password')}
          {...(opens && focused)}
          label={t('password')}
          describedBy={passwordIds.marks}
        />
        <PasswordMarks id={passwordIds.marks} rules={rules} password={values.password} />
      </div>
      <PasswordField {...field('repeatPassword')} label={t('repeat')} enterKeyHint={enterKeyHint} />
      {rules.generate ? (
        <div className="grid gap-2">
          <Button variant="secondary" onClick={generate} className="justify-self-start">
            {t('generate')}
          </Button>
          <p role="status" className={generated === 'noLuck' ? 'text-note text-warning' : 'text-ink-second text-note'}>
            {generated === 'noLuck' ? t('generateFailed') : generated ? t('generated') : ''}
          </p>
        </div>
      ) : null}
    </>
  )
}
