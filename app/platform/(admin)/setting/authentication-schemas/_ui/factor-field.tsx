'use client'

import { ArrowDown, ArrowUp } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useController } from 'react-hook-form'
import { CheckboxBox } from '@/components/form/checkbox-box'
import { FieldError } from '@/components/form/field-error'
import { useFieldId } from '@/components/form/form'
import type { FormFieldProps } from '@/components/form/form-text'
import { moved } from '@/components/order/moved'
import { cn } from '@/components/ui/cn'
import { iconButtonClasses } from '@/components/ui/icon-button-classes'
import type { FlowId } from '@/lib/sign-in/attempts/contract'

type Props = FormFieldProps<readonly FlowId[] | undefined> & {
  /** The flows that the factor may name. */
  options: readonly FlowId[]
  /** A flow that can't be disabled. */
  fixed?: FlowId | undefined
}

/** The flows of a factor, and the order in which they are offered. */
export function FactorField({ name, label, hint, options, fixed }: Props) {
  const t = useTranslations('authentication-schemas')
  const tOrder = useTranslations('ui.order')
  const { field, fieldState } = useController({ name })
  const chosen: FlowId[] = field.value ?? []
  const id = useFieldId(name, label, {
    show: (value) =>
      [value ?? []]
        .flat()
        .map((flow) => t(`flows.${flow as FlowId}`))
        .join(', '),
  })
  const error = fieldState.error?.message
  const ordered = [...chosen, ...options.filter((flow) => !chosen.includes(flow))]
  return (
    <fieldset aria-describedby={`${error ? `${id}-error ` : ''}${id}-hint`} className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 font-medium text-table">{label}</legend>
      <ul className="divide-y divide-line rounded-card border border-line">
        {ordered.map((flow, index) => {
          const isChosen = chosen.includes(flow)
          const text = t(`flows.${flow}`)
          return (
            <li key={flow} className="flex min-h-11 items-center gap-3 px-3">
              <CheckboxBox
                id={index === 0 ? id : `${id}-${flow}`}
                ref={index === 0 ? field.ref : undefined}
                checked={isChosen}
                disabled={isChosen && flow === fixed}
                aria-invalid={error ? true : undefined}
                onCheckedChange={(checked) =>
                  field.onChange(checked === true ? [...chosen, flow] : chosen.filter((each) => each !== flow))
                }
                onBlur={field.onBlur}
              />
              <label htmlFor={index === 0 ? id : `${id}-${flow}`} className="min-w-0 grow cursor-pointer py-2">
                {text}
              </label>
              {isChosen && chosen.length > 1
                ? ([-1, 1] as const).map((step) => {
                    const Icon = step < 0 ? ArrowUp : ArrowDown
                    const isLast = step < 0 ? index === 0 : index === chosen.length - 1
                    return (
                      <button
                        key={step}
                        type="button"
                        aria-label={tOrder(step < 0 ? 'up' : 'down', { name: text })}
                        aria-disabled={isLast}
                        onClick={() => field.onChange(moved(chosen, flow, step))}
                        className={cn(iconButtonClasses, 'aria-disabled:opacity-40')}
                      >
                        <Icon aria-hidden="true" className="size-5" />
                      </button>
                    )
                  })
                : null}
            </li>
          )
        })}
      </ul>
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      {hint ? (
        <p id={`${id}-hint`} className="text-ink-second text-note">
          {hint}
        </p>
      ) : null}
    </fieldset>
  )
}
