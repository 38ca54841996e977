import type { FlowId } from '@/lib/access/authentication-schemas/flow-ids'
import type { Factor } from './factor'
import { provePasskeyOf } from './passkey/prove'
import { provePassword } from './password/prove'
import { sentCode } from './sent-code/code'
import { proveTotp } from './totp/prove'

/**
 * How people prove each flow. What makes a flow ready and usable, and how strong it is, stands in
 * lib/access/authentication-schemas/flows.ts.
 */
export const factors: Record<FlowId, Factor> = {
  credentials: {
    prove: async (ctx, attempt, { password }) => ({ newHash: await provePassword(ctx, attempt, password) }),
  },
  email_code: sentCode('email_code'),
  sms_code: sentCode('sms_code'),
  totp: { prove: proveTotp },
  passkey: { prove: provePasskeyOf },
}
