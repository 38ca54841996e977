import { smsReady } from '@/lib/base/mail-and-sms/transports'
import { type FlowId, flowIds } from './flow-ids'

/** What decides which flows an account can use. */
export type Reachable = {
  passwordHash: string | null
  providerId: string | null
  email: string | null
  mobile: string | null
}

const isReady = (flow: FlowId) => flow !== 'sms_code' || smsReady()

/** Returns the flows whose transport is ready. */
export const readyFlows = (): FlowId[] => flowIds.filter(isReady)

/** Returns the ready flows that an enabled account can use: the password of a directory account isn't ours. */
export function ownFlows({ passwordHash, providerId, email, mobile }: Reachable): FlowId[] {
  const has: Record<FlowId, boolean> = {
    credentials: passwordHash !== null && providerId === null,
    email_code: Boolean(email),
    sms_code: Boolean(mobile),
  }
  return readyFlows().filter((flow) => has[flow])
}
