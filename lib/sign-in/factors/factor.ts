import type { SignInData } from '@/lib/access/authentication-schemas/flows'
import type { Ctx } from '@/lib/base/context/ctx'
import type { CodeState } from '../codes/redis-code'
import type { PasskeySignature } from './passkey/credential'
import type { EntrySubject } from './subject'

/** What factors know of an account. */
export type FactorAccount = SignInData & {
  id: string
  enabled: boolean
  /** Whether a directory keeps the account through which people can sign in. */
  atProvider: boolean
  /** Whether its mobile may be somebody else's. */
  isMobileDoubtful: boolean
}

/** The attempt in which a flow is proven. */
export type FactorAttempt = Pick<EntrySubject, 'knownDevice'> & {
  id: string
  state: EntrySubject['state'] & {
    proven: readonly string[]
    /** The authenticator app that the person sets up in this attempt. */
    newApp?: { encryptedKey: string } | undefined
  }
  account: FactorAccount | null
  /** Wrong passwords of the account in a row, by the key under which they are counted. */
  failures: Record<string, number>
}

/** What a person sent to prove a flow. */
export type Proof = {
  password?: string | undefined
  code?: string | undefined
  recoveryCode?: string | undefined
  passkey?: PasskeySignature | undefined
}

/**
 * What a right proof leaves to be stored: a stronger hash of the password, the time step of the first code of a new
 * authenticator app, or which passkey it was.
 */
export type ToStore = { newHash?: string | null; appStep?: number; passkeyId?: string }

/** How people prove a flow at sign-in. Each flow has one (registry.ts). */
export type Factor = {
  /** For a flow whose code is sent: sends one, and returns the state of the code that was sent. */
  code?: {
    send: (ctx: Ctx, attempt: FactorAttempt) => Promise<CodeState>
    state: (attempt: Omit<FactorAttempt, 'failures'>) => Promise<CodeState>
  }
  /** Throws if the proof is wrong. */
  prove: (ctx: Ctx, attempt: FactorAttempt, proof: Proof) => Promise<ToStore>
}
