import { CircleCheck } from 'lucide-react'

/** Shown in place of a list of problems if there are none. */
export function Calm({ title, text }: { title: string; text: string }) {
  return (
    <div className="flex items-center gap-3 rounded-card border border-line bg-surface px-4 py-3 text-table">
      <CircleCheck aria-hidden="true" strokeWidth={1.75} className="size-5 shrink-0 text-ok" />
      <p>
        <span className="font-medium">{title}.</span> {text}
      </p>
    </div>
  )
}
