'use client'

import type { ComponentProps } from 'react'
import { cn } from '../ui/cn'
import { Field, type FieldProps } from './field'
import type { FieldName } from './field-name'
import { inputClasses } from './input-classes'

const sizes = { L: 'h-12', M: 'h-10 pointer-coarse:h-11' }

type Props = FieldProps &
  Omit<ComponentProps<'input'>, 'size' | 'id' | 'name'> & {
    size?: keyof typeof sizes
    /** The name, from `bodyFields` of the call. */
    name?: FieldName<string | null | undefined>
  }

/** One line of text. */
export function TextField({ label, hint, error, id, size = 'M', className, ...input }: Props) {
  return (
    <Field label={label} hint={hint} error={error} id={id}>
      {(bound) => <input {...input} {...bound} className={cn(inputClasses, sizes[size], className)} />}
    </Field>
  )
}
