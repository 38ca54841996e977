import type { ReactNode } from 'react'
import { PublicForm } from '@/components/plain/public-form'
import type { FlowId, IdAttribute } from '@/lib/sign-in/attempts/contract'

/** Whom a form of a later step signs in: the page may be older than the attempt of its browser. */
export type Attempt = { idAttribute: IdAttribute; identifier: string }

/** What each form of a step after the first sends. */
export const AttemptFields = ({ attempt, flow }: { attempt: Attempt; flow?: FlowId | undefined }) => (
  <>
    <input type="hidden" name="kind" value={attempt.idAttribute} />
    <input type="hidden" name="identifier" value={attempt.identifier} />
    {flow ? <input type="hidden" name="flow" value={flow} /> : null}
  </>
)

type Props = {
  form: 'password' | 'flow' | 'terms'
  attempt: Attempt
  flow?: FlowId
  id?: string
  labelledBy?: string
  children: ReactNode
}

/** A form of a step after the first. */
export const AttemptForm = ({ form, attempt, flow, id, labelledBy, children }: Props) => (
  <PublicForm form={form} id={id} aria-labelledby={labelledBy} className="grid gap-6">
    <AttemptFields attempt={attempt} flow={flow} />
    {children}
  </PublicForm>
)
