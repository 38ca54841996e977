import { idleSince } from '@/lib/sign-in/sessions/openid-sessions'
import type { accountClaims } from '../claims/service'
import { batched } from './batched'
import { selectTokens } from './queries'
import { currentTokenRequest } from './rotation'

/** Many lookups go in one statement, because a token may be of three kinds. */
const readTokens = batched(async (ids: string[]) => {
  const now = new Date()
  const rows = await selectTokens(ids, now, await idleSince(now))
  const rowsById = new Map(rows.map((row) => [row.token.idHash, row]))
  return ids.map((id) => rowsById.get(id) ?? null)
})

/**
 * Returns the record of a token that has not expired. What makes the token valid is read by the same statement, and
 * `rowsReadWithToken` returns it to the rest of the request.
 */
export async function readToken(idHash: string) {
  const row = await readTokens(idHash)
  const request = currentTokenRequest()
  if (row && request) request.read = row
  return row?.token ?? null
}

type Token = NonNullable<Awaited<ReturnType<typeof readToken>>>
type Account = NonNullable<Parameters<typeof accountClaims>[1]>['account']

/**
 * Returns what this request has read with its token, if the token has these values; else undefined. Only parts that
 * exist count: whoever misses one asks the database again.
 */
export function rowsReadWithToken(values: Partial<Token>) {
  const read = currentTokenRequest()?.read
  if (!read) return undefined
  const { token, session, grant, platformSession, account, methodIds, hasConsent } = read
  if (Object.entries(values).some(([name, value]) => token[name as keyof Token] !== value)) return undefined
  const live = account.id === null ? undefined : (platformSession ?? undefined)
  return {
    grant,
    session: live && session,
    platformSession: live,
    // all columns of an account that exists are as its table says
    person: live && { account: account as Account, methodIds, hasConsent },
  }
}
