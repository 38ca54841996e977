import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { db } from '@/db/client'
import { oidcRecords } from '@/db/schema'
import { startClientTrial } from '@/lib/openid/trials/contract'
import { trialScopes } from '@/lib/openid/trials/scopes'
import { readTrialOutcome } from '@/lib/openid/trials/service'
import oidc from '@/messages/ru/oidc.json'
import type { signedInWith } from './access'
import { Caller } from './caller'
import { type createClient, follow, type startProvider, visit } from './oidc'
import { handlerOf } from './routes'

const POST = handlerOf(startClientTrial)

type Running = Awaited<ReturnType<typeof startProvider>>
export type MadeClient = Awaited<ReturnType<typeof createClient>>
export type Person = Awaited<ReturnType<typeof signedInWith>>

/** The methods that a trial needs. */
export const trialRights = ['applications.read', 'applications.write'] as const

/** The answer to a person who wants to try a client. */
export const askForTrial = ({ browser }: Person, clientId: string, scopes: readonly string[] = trialScopes) =>
  browser.send(POST, 'POST', { params: { clientId }, body: { scopes } })

/** Begins a trial. Returns the address of its authorization request. */
export async function beginTrial(person: Person, { clientId }: MadeClient, scopes?: readonly string[]) {
  const { status, body } = await askForTrial(person, clientId, scopes)
  if (status !== 200) throw new Error(`the trial didn’t begin: ${status} ${JSON.stringify(body)}`)
  return String(body.address)
}

/** Returns the answer of the provider to a trial’s request: the platform’s address with a code, not yet opened. */
export async function answerToTrial(running: Running, { browser }: Person, address: string | URL) {
  let at = new URL(address)
  for (let steps = 0; steps < 8; steps++) {
    const { headers } = await visit(running, browser, at)
    const location = headers.get('location')
    if (!location) throw new Error(`no way on from ${at}`)
    at = new URL(location, at)
    if (at.pathname === '/oidc/trial') return at
  }
  throw new Error('no end of redirects')
}

/** Returns what the page at the end of a trial shows to a person. */
export function outcomeOf({ browser }: Person, { application }: MadeClient, url: URL) {
  const id = url.searchParams.get('trial') ?? ''
  return new Caller(browser).serve((ctx) => readTrialOutcome(ctx, { applicationId: application.id, id }))
}

/** Returns the grants and tokens of a client for a person. */
export const recordsOf = async ({ user }: Person, { clientId }: MadeClient) =>
  (await db().select().from(oidcRecords).where(eq(oidcRecords.accountId, user.id))).filter(
    (row) => row.clientId === clientId,
  )

/** Whether the provider refuses the address of a request on its own page, and leads nowhere. */
export async function isRefusedAddress(running: Running, { browser }: Person, address: string | URL) {
  const { status, body, url } = await follow(running, browser, address)
  expect(url.searchParams.get('code')).toBeNull()
  expect(url.pathname).not.toContain('/trial')
  return status === 400 && body.includes(oidc.oidc.failure.address.title)
}
