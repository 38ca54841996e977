import { expect, test, vi } from 'vitest'
import { sentStep } from '@/app/platform/(auth)/_ui/form-failure'
import type { Outcome } from '@/lib/request/forms/outcome'

const page = vi.hoisted(() => ({ outcome: null as Outcome | null }))
vi.mock('@/lib/request/page', () => ({ pageOutcome: async () => page.outcome }))

const email: [string, string] = ['email', 'anna@polaris.example']
const success: Outcome = { form: 'ask', status: 200, code: '', data: { resendAt: 7, again: true }, values: [email] }
const failure: Outcome = { form: 'ask', status: 429, code: 'tooManyAttempts', data: {}, values: [email] }

test('a page says what was sent, also if another link was refused, but not after its form has failed', async () => {
  page.outcome = success
  expect(await sentStep('sent')).toMatchObject({ resendAt: 7, again: true })
  expect(await sentStep(undefined)).toBeNull()
  page.outcome = { ...failure, values: [email, ['before', '5'], ['again', '1']] }
  expect(await sentStep('sent')).toMatchObject({ resendAt: 5, again: true })
  // the page was left open for so long that it shows its form at this address
  page.outcome = failure
  expect(await sentStep('sent')).toBeNull()
  page.outcome = null
  expect(await sentStep('sent')).toBeNull()
})
