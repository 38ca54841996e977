import { smsReady } from '@/lib/base/mail-and-sms/transports'
import { type FlowId, flowIds } from './flow-ids'

/** The fields of an account that decide which flows it can use. */
export type SignInData = {
  passwordHash: string | null
  providerId: string | null
  email: string | null
  mobile: string | null
}

type FlowTraits = {
  /** Whether the platform can ask for it now. */
  isReady: () => boolean
  /** Whether an enabled account can prove it. */
  isUsable: (account: SignInData) => boolean
  /** The authentication methods that it proves (RFC 8176, section 2). */
  amr: string[]
}

/** What is known of each flow. How people prove it stands in lib/sign-in/factors. */
const flowTraits: Record<FlowId, FlowTraits> = {
  credentials: {
    isReady: () => true,
    // the password of a directory account is not stored here
    isUsable: ({ passwordHash, providerId }) => passwordHash !== null && providerId === null,
    amr: ['pwd'],
  },
  email_code: { isReady: () => true, isUsable: ({ email }) => Boolean(email), amr: ['otp'] },
  sms_code: { isReady: smsReady, isUsable: ({ mobile }) => Boolean(mobile), amr: ['otp', 'sms'] },
}

/** Returns the flows whose transport is ready. */
export const readyFlows = (): FlowId[] => flowIds.filter((flow) => flowTraits[flow].isReady())

/** Returns the ready flows that an enabled account can use. */
export const usableFlows = (account: SignInData): FlowId[] =>
  readyFlows().filter((flow) => flowTraits[flow].isUsable(account))

/** Returns the authentication methods of a proven flow as RFC 8176 names them; none for the proof of a provider. */
export const amrOfFlow = (flow: string): string[] => flowTraits[flow as FlowId]?.amr ?? []
