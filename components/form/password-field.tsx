'use client'

import { useTranslations } from 'next-intl'
import { type ComponentProps, type KeyboardEvent, type MouseEvent, useState } from 'react'
import { cn } from '../ui/cn'
import { Eye, EyeOff } from '../ui/icons'
import { Field, type FieldProps } from './field'
import type { FieldName } from './field-name'
import { inputClasses } from './input-classes'

type Props = Omit<FieldProps, 'hint'> &
  Omit<ComponentProps<'input'>, 'type' | 'size' | 'id' | 'name'> & {
    /** The name, from `bodyFields` of the call. */
    name?: FieldName<string | null | undefined>
    /** The id of another description of the field, such as its rules. */
    describedBy?: string
    /** Whether the password is shown, if the parent controls that. */
    shown?: boolean
    onShownChange?: (visible: boolean) => void
    /** 48 px on public pages, 40 px in forms. */
    size?: 'L' | 'M'
  }

/** A password that can be shown. It warns while Caps Lock is on. */
export function PasswordField({
  label,
  error,
  id,
  className,
  onBlur,
  describedBy,
  shown,
  onShownChange,
  size = 'L',
  ...input
}: Props) {
  const t = useTranslations('common')
  const [ownShown, setOwnShown] = useState(false)
  const isShown = shown ?? ownShown
  const setShown = onShownChange ?? setOwnShown
  const [capsLock, setCapsLock] = useState(false)
  const look = (event: KeyboardEvent | MouseEvent) => setCapsLock(event.getModifierState('CapsLock'))
  const Icon = isShown ? EyeOff : Eye
  return (
    <Field label={label} error={error} id={id}>
      {(bound) => (
        <div className="relative">
          <input
            {...input}
            {...bound}
            aria-describedby={[bound['aria-describedby'], describedBy].filter(Boolean).join(' ') || undefined}
            type={isShown ? 'text' : 'password'}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            onKeyDown={look}
            onKeyUp={look}
            onClick={look}
            onBlur={(event) => {
              setCapsLock(false)
              onBlur?.(event)
            }}
            className={cn(inputClasses, size === 'L' ? 'h-12 pr-12' : 'h-10 pr-12 pointer-coarse:h-11', className)}
          />
          <button
            type="button"
            aria-label={isShown ? t('hidePassword') : t('showPassword')}
            aria-controls={bound.id}
            onClick={() => setShown(!isShown)}
            className={cn(
              size === 'L' ? 'size-11' : 'size-9 pointer-coarse:size-10',
              'absolute top-0.5 right-0.5 flex cursor-pointer items-center justify-center rounded-control text-ink-second hover:text-ink',
            )}
          >
            <Icon className="size-5" />
          </button>
          <p role="status" className={capsLock ? 'mt-1.5 text-note text-warning' : 'sr-only'}>
            {capsLock ? t('capsLock') : ''}
          </p>
        </div>
      )}
    </Field>
  )
}
