import type { ReactNode } from 'react'
import { Guilloche } from '../look/guilloche'
import { cn } from './cn'

type Props = { title: string; text?: ReactNode; action?: ReactNode; tone?: 'brand' | 'danger'; icon?: ReactNode }

/** Shown in place of missing content: why there is none, and what to do. */
export function EmptyState({ title, text, action, tone = 'brand', icon }: Props) {
  return (
    <div
      data-empty=""
      role={tone === 'danger' ? 'alert' : undefined}
      className="relative isolate grid min-h-70 place-items-center overflow-clip rounded-card border border-line bg-surface px-6 py-14 text-center"
    >
      {tone === 'brand' ? <Guilloche form="medallion" className="inset-0 -z-10 opacity-30" /> : null}
      <div className={cn('grid max-w-[26rem] justify-items-center gap-4', tone === 'brand' && 'empty-veil')}>
        {icon}
        <div className="grid gap-1.5">
          <h2 className="wrap-anywhere text-section">{title}</h2>
          {text ? <p className="text-ink-second text-table">{text}</p> : null}
        </div>
        {action}
      </div>
    </div>
  )
}
