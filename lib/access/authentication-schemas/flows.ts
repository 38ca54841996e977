import { relyingPartyId } from '@/lib/base/http/relying-party'
import { smsReady } from '@/lib/base/mail-and-sms/transports'
import { type Factors, setUpFactors } from './factors'
import { appFlow, type FlowId, firstFlowIds, flowIds } from './flow-ids'

/** The fields of an account that decide which flows it can use. */
export type SignInData = {
  passwordHash: string | null
  providerId: string | null
  email: string | null
  mobile: string | null
  hasAuthenticatorApp: boolean
  hasPasskey: boolean
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
  totp: { isReady: () => true, isUsable: ({ hasAuthenticatorApp }) => hasAuthenticatorApp, amr: ['otp'] },
  passkey: {
    isReady: () => relyingPartyId() !== null,
    isUsable: ({ hasPasskey }) => hasPasskey,
    amr: ['pop', 'user', 'mfa'],
  },
}

/** Returns the flows whose transport is ready. */
export const readyFlows = (): FlowId[] => flowIds.filter((flow) => flowTraits[flow].isReady())

/** Returns the ready flows that an enabled account can use. */
export const usableFlows = (account: SignInData): FlowId[] =>
  readyFlows().filter((flow) => flowTraits[flow].isUsable(account))

/**
 * Returns the flows that an account has beside an authenticator app, also those whose transport isn't ready now. A
 * mobile that may be somebody else's doesn't count.
 */
export const flowsBesideApp = (account: SignInData & { isMobileDoubtful: boolean }): FlowId[] =>
  firstFlowIds.filter(
    (flow) => flowTraits[flow].isUsable(account) && !(flow === 'sms_code' && account.isMobileDoubtful),
  )

/**
 * Returns the schemas that an account must satisfy to sign in, and the flows that it can use for that: if it has no
 * authenticator app and needs one, with the app and with what its set-up asks for (docs/rules/sign-in.md#setting-it-up).
 */
export function entryOf(
  schemas: readonly Factors[],
  account: SignInData & { isMobileDoubtful: boolean },
): { schemas: readonly Factors[]; flows: FlowId[] } {
  const flows = usableFlows(account)
  const setUp = account.hasAuthenticatorApp ? null : setUpFactors(schemas, flowsBesideApp(account))
  return setUp ? { schemas: [setUp, ...schemas], flows: [...flows, appFlow] } : { schemas, flows }
}

/** Returns the authentication methods of a proven flow as RFC 8176 names them; none for the proof of a provider. */
export const amrOfFlow = (flow: string): string[] => flowTraits[flow as FlowId]?.amr ?? []
