import type { ReactNode } from 'react'
import type { FlowId } from '@/lib/sign-in/attempts/contract'
import type { NewApp } from '@/lib/sign-in/attempts/service'
import type { CodeState } from '@/lib/sign-in/codes/redis-code'
import type { FormFailure } from '../../_ui/form-failure'
import type { Attempt } from './attempt-form'
import { CodeStep } from './code-step'
import { PasskeyStep } from './passkey-step'
import { PasswordStep } from './password-step'
import { TotpStep } from './totp-step'

export type FactorStepProps = {
  attempt: Attempt
  /** The other open flows. */
  others: FlowId[]
  /** The address of the first step. */
  back: string
  failed: FormFailure | null
  /** The state of a sent code; null for a flow that sends none. */
  code: CodeState | null
  codeDigits: number
  /** The authenticator app that the person sets up in this step; null if they have one, and for other flows. */
  newApp: NewApp | null
}

type FactorStep = {
  /** The name of its title in `entry`. */
  title: 'credentials.title' | 'code.email_code.title' | 'code.sms_code.title' | 'totp.title' | 'passkey.title'
  Step: (props: FactorStepProps) => ReactNode
}

/** The step of the page for each flow. */
export const factorSteps: Record<FlowId, FactorStep> = {
  credentials: { title: 'credentials.title', Step: PasswordStep },
  email_code: { title: 'code.email_code.title', Step: (props) => <CodeStep flow="email_code" {...props} /> },
  sms_code: { title: 'code.sms_code.title', Step: (props) => <CodeStep flow="sms_code" {...props} /> },
  totp: { title: 'totp.title', Step: TotpStep },
  passkey: { title: 'passkey.title', Step: PasskeyStep },
}
