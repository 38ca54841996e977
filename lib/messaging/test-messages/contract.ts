import { z } from 'zod'
import { contract, line } from '@/lib/base/contracts/contract'
import { toEmail } from '@/lib/base/text/email'

/** The outcome of a test message. */
const Outcome = z.strictObject({
  /** Whether the server accepted it; without a server it is only stored (`kept`). */
  outcome: z.enum(['sent', 'kept', 'failed']),
  /** Why the server refused it, in its own words. */
  reason: z.string().nullable(),
})

const common = { tag: 'settings', access: { area: 'settings' }, method: 'POST' } as const
const path = '/setting/application/settings'

export const sendTestMail = contract({
  ...common,
  name: 'sendTestMail',
  snackbar: 'testMail',
  summary: 'Sends a test mail at once, and answers what the mail server said; 10 tests an hour',
  path: `${path}/test-mail`,
  body: z.strictObject({ email: line(320).transform(toEmail) }),
  response: Outcome,
  errors: { tooManyAttempts: 429 },
})

export const sendTestSms = contract({
  ...common,
  name: 'sendTestSms',
  snackbar: 'testSms',
  summary: 'Sends a test SMS at once, and answers what the gateway said; 10 tests an hour',
  path: `${path}/test-sms`,
  body: z.strictObject({ mobile: line(32) }),
  response: Outcome,
  errors: { tooManyAttempts: 429, errorMobile: 400 },
})
