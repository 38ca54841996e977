import { useTranslations } from 'next-intl'
import type { ComponentProps } from 'react'
import { inputClasses } from '../form/input-classes'
import { cn } from '../ui/cn'
import { Eye, EyeOff } from '../ui/icons'
import { PlainField, plainControl } from './plain-field'

type Props = Omit<ComponentProps<'input'>, 'type' | 'size' | 'id'> & {
  id: string
  label: string
  error: string | undefined
  /** The id of another description of the field, such as its rules. */
  describedBy?: string
}

/** A password of a page without script. Where a script runs, it shows the password and warns while Caps Lock is on. */
export function PasswordInput({ id, label, error, describedBy, ...input }: Props) {
  const t = useTranslations('common')
  return (
    <PlainField id={id} label={label} error={error}>
      <div className="relative">
        <input
          {...input}
          {...plainControl(id, error, describedBy)}
          type="password"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          className={cn(inputClasses, 'h-12 pr-12')}
        />
        <button
          type="button"
          hidden
          data-reveal={t('showPassword')}
          data-hide={t('hidePassword')}
          aria-label={t('showPassword')}
          aria-controls={id}
          className="group absolute top-0.5 right-0.5 flex size-11 cursor-pointer items-center justify-center rounded-control text-ink-second hover:text-ink [&[hidden]]:hidden"
        >
          <Eye className="size-5 group-data-[shown]:hidden" />
          <EyeOff className="hidden size-5 group-data-[shown]:block" />
        </button>
        <p role="status" data-caps={t('capsLock')} className="mt-1.5 text-note text-warning empty:mt-0" />
      </div>
    </PlainField>
  )
}
