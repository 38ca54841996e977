import { AsyncLocalStorage } from 'node:async_hooks'
import { errors } from 'oidc-provider'
import { decrypt, encrypt } from '@/lib/base/crypto/encryption'
import { accessByOpenIdSession } from '@/lib/sign-in/sessions/openid-sessions'
import { type insertToken, replaceRecord, selectAnswer, type selectTokens, usedSource } from './queries'
import { orUnavailable } from './unavailable'

/**
 * Milliseconds for which a used refresh token gets the same answer again: simultaneous requests of one client are no
 * theft. After that, reuse ends all tokens of the grant.
 */
export const raceGrace = 10_000

type Row = Parameters<typeof insertToken>[0]
type TokenRequest = {
  refreshes: () => boolean
  /** What was read with the token of the request. */
  read?: Awaited<ReturnType<typeof selectTokens>>[number]
  used?: string
  rows: Row[]
}

const tokenRequests = new AsyncLocalStorage<TokenRequest>()

/**
 * Returns what this request has read with its token, the refresh token that it uses, and its successors; undefined
 * outside the OpenID Provider.
 */
export const currentTokenRequest = () => tokenRequests.getStore()

export const alreadyUsed = () => new errors.InvalidGrant('already used')

/** A refresh request, as the token endpoint sees it. */
export type Refreshing = {
  /** Whether the request is a refresh; known once its parameters are read. */
  refreshes: () => boolean
  isWell: () => boolean
  /** Everything that the answer depends on besides the token: another request must not get it. */
  request: () => string
  answer: () => unknown
  /** Replaces the answer. */
  replace: (answer: unknown) => void
}

// encrypted in another context than the payload of the same record, so that neither is taken for the other
const boundTo = (used: string) => `answer ${used}`

/**
 * Runs a refresh so that its token is used by the same statement that stores the new tokens, after all of them have
 * been made and the answer is a success: a failure before that uses nothing. It also counts as an access of the person.
 * A second request with the same parameters gets the answer of the first, and its own tokens are never stored. Throws
 * InvalidGrant for other requests.
 */
export async function withRotation(work: () => Promise<unknown>, refreshing: Refreshing): Promise<void> {
  const tokenRequest: TokenRequest = { refreshes: refreshing.refreshes, rows: [] }
  await tokenRequests.run(tokenRequest, work)
  const { used: usedHash, rows, read } = tokenRequest
  if (usedHash === undefined || !refreshing.isWell()) return
  const now = new Date()
  const request = refreshing.request()
  const storedAnswer = {
    answer: encrypt('oidc', JSON.stringify({ request, answer: refreshing.answer() }), boundTo(usedHash)),
    expiresAt: new Date(now.getTime() + raceGrace),
  }
  const oidcUid = rows[0]?.sessionUid ?? ''
  const lastAccessAt = read?.platformSession?.lastAccessAt
  const isFirst = await orUnavailable(async () => {
    const access = await accessByOpenIdSession(usedSource, { oidcUid, lastAccessAt }, now)
    return replaceRecord(usedHash, now, rows, storedAnswer, access)
  })
  if (isFirst) return
  const encrypted = await orUnavailable(() => selectAnswer(usedHash, new Date()))
  const firstAnswer = encrypted && JSON.parse(decrypt('oidc', encrypted, boundTo(usedHash)))
  if (firstAnswer?.request !== request) throw alreadyUsed()
  refreshing.replace(firstAnswer.answer)
}
