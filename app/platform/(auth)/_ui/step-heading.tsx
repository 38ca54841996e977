import type { ReactNode } from 'react'
import { focused } from '@/components/form/focused'

/** The id of the heading, which names the form of the step. */
export const stepHeadingId = 'step-title'

type Props = {
  lead?: ReactNode
  /** Whether the page opens with the focus here, because the step has no field. */
  opens?: boolean
  children: ReactNode
}

/** The only heading of a public page: it says what the step asks for. */
export const StepHeading = ({ lead, opens, children }: Props) => (
  <div className="grid gap-2">
    <h1 id={stepHeadingId} tabIndex={-1} {...(opens && focused)} data-quiet-focus={opens} className="text-title">
      {children}
    </h1>
    {lead ? <p className="text-ink-second">{lead}</p> : null}
  </div>
)
