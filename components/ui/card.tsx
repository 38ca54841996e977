import type { ComponentProps } from 'react'
import { cn } from './cn'

/** A surface with a thin border. */
export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={cn('rounded-card border border-line bg-surface p-5', className)} />
}
