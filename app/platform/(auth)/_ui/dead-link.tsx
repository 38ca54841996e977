import type { ReactNode } from 'react'

/** A link that no longer works: the reason, and what to do now (`children`). */
export const DeadLink = ({ title, text, children }: { title: string; text: ReactNode; children: ReactNode }) => (
  <div className="grid gap-6">
    <div className="grid gap-2">
      <h1 className="text-title">{title}</h1>
      <p className="text-ink-second">{text}</p>
    </div>
    {children}
  </div>
)
