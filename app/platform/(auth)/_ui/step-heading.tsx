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

/** The first heading of a public page: what the step asks for, or what it tells. */
export const StepHeading = ({ lead, opens, children }: Props) => (
  <div className="grid gap-2">
    <h1
      id={stepHeadingId}
      tabIndex={-1}
      {...(opens && focused)}
      data-quiet-focus={opens}
      className="wrap-anywhere text-balance text-title"
    >
      {children}
    </h1>
    {lead ? <p className="wrap-anywhere text-pretty text-ink-second">{lead}</p> : null}
  </div>
)
