import type { ReactNode } from 'react'
import type { IdAttribute } from '@/lib/sign-in/attempts/contract'
import type { SignInStep } from '@/lib/sign-in/attempts/service'
import { formFailure } from '../../_ui/form-failure'
import { factorSteps } from './factor-steps'
import { IdStep } from './id-step'
import { TermsStep } from './terms-step'

type Props = {
  /** The step of the attempt of this browser; null for the first one. */
  reached: SignInStep | null
  /** The step that the address names: `id` shows the first one again. */
  step: string | undefined
  /** Returns the address of a step. */
  addressOf: (step: string) => string
  /** The kinds of identifier that are accepted here. */
  allowed: [IdAttribute, ...IdAttribute[]]
  /** The login that an application expects. */
  hint: string | undefined
  /** The account that this device remembers. */
  remembered: string | undefined
  codeDigits: number
  /** Whether people sign in with passkeys. */
  offersPasskeys: boolean
  /** What stands below the first step. */
  providers: ReactNode
  registration: ReactNode
}

/** The steps of signing in. Each is a page of its own, with forms that need no script. */
export async function SignInSteps({
  reached,
  step,
  addressOf,
  allowed,
  hint,
  remembered,
  codeDigits,
  offersPasskeys,
  providers,
  registration,
}: Props) {
  const failed = await formFailure()
  const current = step === 'id' ? null : reached
  const back = addressOf('id')
  if (!current) {
    const identifier = reached?.identifier ?? hint
    return (
      <IdStep
        allowed={allowed}
        identifier={identifier}
        remembered={identifier === undefined && step === undefined ? remembered : undefined}
        other={back}
        failed={failed}
        offersPasskeys={offersPasskeys}
        providers={providers}
        registration={registration}
      />
    )
  }
  if (current.step === 'terms')
    return <TermsStep attempt={current} terms={current.terms} flow={current.flow} back={back} failed={failed} />
  const others = current.flows.filter((flow) => flow !== current.step)
  const { Step } = factorSteps[current.step]
  return (
    <Step
      attempt={current}
      others={others}
      back={back}
      failed={failed}
      code={current.code}
      codeDigits={codeDigits}
      newApp={current.newApp}
    />
  )
}
