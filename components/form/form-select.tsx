'use client'

import * as Radix from '@radix-ui/react-select'
import { useTranslations } from 'next-intl'
import { useController } from 'react-hook-form'
import { cn } from '../ui/cn'
import { Check, ChevronDown } from '../ui/icons'
import { Field } from './field'
import { useFieldId } from './form'
import type { FormFieldProps } from './form-text'
import { inputClasses } from './input-classes'
import type { Option } from './use-search'

/** Radix uses the empty value for “nothing chosen”, so the option for nothing has another value. */
const nothing = '\0'

const itemLook =
  'flex min-h-9 cursor-pointer items-center justify-between gap-4 rounded-control px-3 outline-none data-[highlighted]:bg-sunken data-[state=checked]:font-medium pointer-coarse:min-h-11'

type Props = FormFieldProps<string | null | undefined> & {
  options: readonly Option[]
  /** Whether the person may choose nothing; the value is then `null`. */
  clearable?: boolean
  disabled?: boolean
  /** Called in place of setting the value, for a choice that asks first or changes other fields. */
  onChoose?: (value: string | null) => void
  /** Its label in the error summary and in a conflict, where its group isn't seen. */
  alone?: string
}

/** Chooses one of a few options; the value is a string. */
export function FormSelect({
  name,
  label,
  hint,
  options,
  clearable = false,
  disabled,
  onChoose,
  alone = label,
}: Props) {
  const t = useTranslations('ui.form')
  const id = useFieldId(name, alone, {
    show: (value) => options.find((option) => option.value === value)?.label,
  })
  const { field, fieldState } = useController({ name })
  return (
    <Field id={id} label={label} hint={hint} error={fieldState.error?.message}>
      {(bound) => (
        <Radix.Root
          value={field.value ?? ''}
          onValueChange={(value) => (onChoose ?? field.onChange)(value === nothing ? null : value)}
          disabled={disabled}
        >
          <Radix.Trigger
            {...bound}
            ref={field.ref}
            onBlur={field.onBlur}
            className={cn(
              inputClasses,
              'flex h-10 min-w-0 cursor-pointer items-center justify-between gap-2 text-left disabled:cursor-not-allowed disabled:opacity-50 data-[placeholder]:text-ink-second pointer-coarse:h-11',
            )}
          >
            <span className="truncate">
              <Radix.Value placeholder={t('choose')} />
            </span>
            <ChevronDown className="size-4 text-ink-second" />
          </Radix.Trigger>
          <Radix.Portal>
            <Radix.Content
              position="popper"
              sideOffset={6}
              collisionPadding={8}
              className="z-60 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) max-w-[calc(100vw-1rem)] animate-arrive overflow-clip rounded-card border border-line bg-surface text-ink text-table shadow-float"
            >
              <Radix.Viewport className="p-1">
                {clearable ? (
                  <Radix.Item value={nothing} className={cn(itemLook, 'text-ink-second')}>
                    <Radix.ItemText>{t('none')}</Radix.ItemText>
                  </Radix.Item>
                ) : null}
                {options.map(({ value, label: text }) => (
                  <Radix.Item key={value} value={value} className={itemLook}>
                    <Radix.ItemText>{text}</Radix.ItemText>
                    <Radix.ItemIndicator>
                      <Check className="size-4 text-brand" />
                    </Radix.ItemIndicator>
                  </Radix.Item>
                ))}
              </Radix.Viewport>
            </Radix.Content>
          </Radix.Portal>
        </Radix.Root>
      )}
    </Field>
  )
}
