'use client'

import { useTranslations } from 'next-intl'
import { type ComponentType, lazy, type ReactNode, useEffect, useState } from 'react'
import { snackbar } from '@/components/ui/snackbar'
import { Spinner } from '@/components/ui/spinner'
import type { TermsRequired } from '@/lib/base/runtime/errors'
import type { FlowId, IdAttribute } from '@/lib/sign-in/attempts/contract'
import { clockAhead } from '../../_ui/clock-ahead'
import type { FlowStepProps } from './flow-step'
import { IdStep } from './id-step'
import { LazyPart } from './lazy-part'
import { type Step, useStepHistory } from './use-step-history'
import type { SignInView, StartedAttempt } from './view'

type FlowStep = ComponentType<FlowStepProps>

/** The steps of the flows. Each one is loaded when it is needed. */
const fetchStep: Record<FlowId, () => Promise<FlowStep>> = {
  credentials: async () => (await import('./credentials-step')).CredentialsStep,
  email_code: async () => (await import('./code-step')).EmailCodeStep,
  sms_code: async () => (await import('./code-step')).SmsCodeStep,
}
const later = (flow: FlowId) => lazy(async () => ({ default: await fetchStep[flow]() }))
const flowSteps: Record<FlowId, FlowStep> = {
  credentials: later('credentials'),
  email_code: later('email_code'),
  sms_code: later('sms_code'),
}
const TermsStep = lazy(async () => ({ default: (await import('./terms-step')).TermsStep }))

type Props = {
  /** The first step, from the server. */
  view: SignInView
  /** The kinds of identifier that are accepted here. */
  idAttributes: IdAttribute[]
  /** The account that this device remembers. */
  remembered: string | undefined
  /** Where the person goes after signing in. */
  path?: string
  codeDigits: number
  /** Replaces the form if no flow is possible, or if scripts don't run. */
  none: ReactNode
  noScript: ReactNode
  /** The identity providers through which people can sign in, below the first step. */
  providers: ReactNode
  /** The link to a new account, below the first step: later steps are for people who have one. */
  registration: ReactNode
  /** Whether a sign-in through an identity provider has just ended here. */
  here: boolean
  /** The server's time when it rendered the page, in milliseconds since the epoch. */
  now: number
}

/** The sign-in, whose steps replace each other. */
export function SignIn({
  view,
  idAttributes,
  remembered,
  path,
  codeDigits,
  none,
  noScript,
  providers,
  registration,
  here,
  now,
}: Props) {
  const tNotice = useTranslations('snackbar')
  const [firstStep] = useState<Step>(view.step)
  const [ahead] = useState(() => clockAhead(now))
  const [step, setStep] = useState<Step>(firstStep)
  const [attempt, setAttempt] = useState<StartedAttempt | null>(view.step === 'id' ? null : view)
  const [identifier, setIdentifier] = useState(view.identifier ?? '')
  const [terms, setTerms] = useState(view.step === 'terms' ? { list: view.terms, flow: view.flow } : null)
  const [expired, setExpired] = useState(view.step === 'id' && view.notice === 'expired')
  const [moved, setMoved] = useState(false)

  const show = (target: Step) => {
    setMoved(true)
    setStep(target)
  }
  const history = useStepHistory(firstStep, (entry) => {
    // an entry of the browser's history may be older than its attempt
    const target = attempt ? entry : 'id'
    if (target === step) return
    setExpired(false)
    show(target)
  })

  const start = async (started: StartedAttempt) => {
    const [flow] = started.flows
    if (!flow) return false
    await fetchStep[flow]()
    setIdentifier(started.identifier)
    setAttempt(started)
    setExpired(false)
    show(flow)
    history.enter(flow)
    return true
  }
  const change = () => {
    show('id')
    history.toId()
  }
  const expire = () => {
    setAttempt(null)
    setExpired(true)
    change()
  }
  const select = (flow: FlowId) => {
    show(flow)
    history.enter(flow)
  }

  const secondFactor = (flows: FlowId[]) => {
    const [flow] = flows
    if (!attempt || !flow) return expire()
    setAttempt({ ...attempt, flows, code: null })
    select(flow)
  }
  const askTerms = (list: TermsRequired[], flow: FlowId) => {
    setTerms({ list, flow })
    show('terms')
    history.enter('terms')
  }

  const signedOut = view.step === 'id' && view.notice === 'signedOut'
  useEffect(() => {
    if (signedOut) void snackbar.ok(tNotice('logout'))
  }, [signedOut, tNotice])

  useEffect(() => {
    // the browser restored the page from its cache, still waiting for an answer that was already handled
    const revive = (event: PageTransitionEvent) => event.persisted && window.location.reload()
    window.addEventListener('pageshow', revive)
    return () => window.removeEventListener('pageshow', revive)
  }, [])

  const [kind, ...kinds] = idAttributes
  if (attempt && step !== 'id') {
    const props = {
      attempt,
      path,
      others: attempt.flows.filter((flow) => flow !== step),
      codeDigits,
      ahead,
      moved,
      onSelect: select,
      onChange: change,
      onExpired: expire,
      onSecondFactor: secondFactor,
      onTerms: askTerms,
    }
    const FlowStep = step === 'terms' ? undefined : flowSteps[step]
    return (
      <LazyPart later={moved} fallback={<Spinner className="mx-auto size-6 text-ink-second" />}>
        {FlowStep ? (
          <FlowStep key={`${step} ${attempt.flows}`} {...props} />
        ) : (
          // a changed list is a new question, so the form starts anew
          <TermsStep
            key={JSON.stringify(terms?.list)}
            {...props}
            terms={terms?.list ?? []}
            flow={terms?.flow ?? 'credentials'}
          />
        )}
      </LazyPart>
    )
  }
  if (!kind) return none
  return (
    <IdStep
      key={expired ? 'expired' : 'id'}
      allowed={[kind, ...kinds]}
      identifier={identifier}
      remembered={remembered}
      path={path}
      moved={moved}
      expired={expired}
      noScript={noScript}
      providers={providers}
      registration={registration}
      here={here}
      onStarted={start}
    />
  )
}
