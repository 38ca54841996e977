import type { ReactNode } from 'react'
import { StepHeading } from './step-heading'

/** A link that no longer works: the reason, and what to do now (`children`). */
export const DeadLink = ({ title, text, children }: { title: string; text: ReactNode; children: ReactNode }) => (
  <div className="grid gap-6">
    <StepHeading lead={text}>{title}</StepHeading>
    {children}
  </div>
)
