import type { ComponentProps } from 'react'
import { inputClasses } from '../form/input-classes'
import { cn } from '../ui/cn'
import { hintId, PlainField, plainControl } from './plain-field'

type Props = Omit<ComponentProps<'input'>, 'id' | 'className' | 'size'> & {
  id: string
  label: string
  error: string | undefined
  hint?: string | undefined
}

/** One line of text in a page without script. */
export const TextInput = ({ id, label, error, hint, ...input }: Props) => (
  <PlainField id={id} label={label} error={error} hint={hint}>
    <input
      type="text"
      {...input}
      {...plainControl(id, error, hint && hintId(id))}
      className={cn(inputClasses, 'h-12')}
    />
  </PlainField>
)
