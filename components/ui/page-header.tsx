import type { ReactNode } from 'react'

/** The top of a page: its title, one sentence about it, and the main action at the right. */
export function PageHeader({ title, text, action }: { title: string; text?: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div className="grid min-w-0 grow basis-80 gap-1.5">
        <h1 className="text-title">{title}</h1>
        {text ? <p className="max-w-[44rem] text-ink-second">{text}</p> : null}
      </div>
      {action ? (
        <div
          data-page-action=""
          className="flex shrink-0 flex-wrap gap-2 print:hidden @max-[28rem]:w-full @max-[28rem]:*:grow"
        >
          {action}
        </div>
      ) : null}
    </div>
  )
}
