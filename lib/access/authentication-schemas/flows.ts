import { smsReady } from '@/lib/base/mail-and-sms/transports'
import { type FlowId, flowIds } from './flow-ids'

/** The fields of an account that decide which flows it can use. */
export type SignInData = {
  passwordHash: string | null
  providerId: string | null
  email: string | null
  mobile: string | null
}

const isReady = (flow: FlowId) => flow !== 'sms_code' || smsReady()

/** Returns the flows whose transport is ready. */
export const readyFlows = (): FlowId[] => flowIds.filter(isReady)

/** Returns the ready flows that an enabled account can use. The password of a directory account is not stored here. */
export function usableFlows({ passwordHash, providerId, email, mobile }: SignInData): FlowId[] {
  const canUse: Record<FlowId, boolean> = {
    credentials: passwordHash !== null && providerId === null,
    email_code: Boolean(email),
    sms_code: Boolean(mobile),
  }
  return readyFlows().filter((flow) => canUse[flow])
}
