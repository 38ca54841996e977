import { CallError, call } from '@/lib/base/http/client'
import type { authLogin, CodeFlow } from '@/lib/sign-in/attempts/contract'
import { authPaths } from '@/lib/sign-in/attempts/paths'
import type { FlowStepProps } from './flow-step'
import { remember } from './remembering'

type Proof =
  | { flow: 'credentials'; password: string }
  | { flow: CodeFlow; code: string }
  | { flow: 'credentials' | CodeFlow; termsAgree: { type: string; agree: boolean; version: number }[] }

/** Sends the proof of a step and follows the answer. Throws errors that the step must show. */
export async function sendProof(
  { attempt, path, onSecondFactor, onTerms }: FlowStepProps,
  proof: Proof,
): Promise<'done'> {
  const { idAttribute, identifier } = attempt
  try {
    const answer = await call<typeof authLogin>(authPaths.login, {
      params: { idAttribute },
      body: { [idAttribute]: identifier, path, ...proof },
    })
    if (answer.next === 'done' || answer.next === 'set_password') remember(identifier)
    if (answer.redirect) window.location.assign(answer.redirect)
    else if (answer.setPassword) window.location.assign(`/platform/login/password/${answer.setPassword}`)
    else onSecondFactor(answer.flows ?? [])
  } catch (error) {
    const terms = error instanceof CallError && error.code === 'termsRequired' ? error.data.termsRequired : undefined
    if (!terms) throw error
    onTerms(terms, proof.flow)
  }
  return 'done'
}
