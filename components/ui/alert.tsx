import type { ComponentProps, ComponentType, ReactNode } from 'react'
import { cn } from './cn'
import { CircleAlert, CircleCheck, Info, TriangleAlert } from './icons'

const tones = {
  info: { Icon: Info, box: 'border-info/25 bg-info-tint', icon: 'text-info' },
  ok: { Icon: CircleCheck, box: 'border-ok/25 bg-ok-tint', icon: 'text-ok' },
  warning: { Icon: TriangleAlert, box: 'border-warning/25 bg-warning-tint', icon: 'text-warning' },
  danger: { Icon: CircleAlert, box: 'border-danger/25 bg-danger-tint', icon: 'text-danger' },
}

type AlertProps = Omit<ComponentProps<'div'>, 'title'> & {
  tone: keyof typeof tones
  title?: ReactNode
  /** A sign that replaces the tone's sign. */
  Icon?: ComponentType<{ className: string; 'aria-hidden': 'true' }>
}

/** A message in the page on a tinted background, with what to do about it. */
export function Alert({ tone, title, Icon = tones[tone].Icon, className, children, ...rest }: AlertProps) {
  const { box, icon } = tones[tone]
  return (
    <div {...rest} className={cn('flex gap-3 rounded-card border px-4 py-3 text-table', box, className)}>
      <Icon aria-hidden="true" className={cn('mt-px size-5 shrink-0', icon)} />
      <div className="grid min-w-0 grow gap-1">
        {title ? <p className="font-semibold">{title}</p> : null}
        {children}
      </div>
    </div>
  )
}
