import { setTimeout as wait } from 'node:timers/promises'
import { buildEndSessionUrl } from 'openid-client'
import { db } from '@/db/client'
import { configurationOf } from './openid'
import { selectWholeProvider } from './queries'
import { issuingOf } from './sign-in'

/** Milliseconds that a sign-out waits for the metadata of a provider. */
const patience = 2_000

/**
 * Returns the address where people sign out at an enabled provider; null if it has none, or doesn't answer in time: who
 * signs out here doesn't wait for it. The provider asks the person, because it gets no token as a hint.
 */
export async function endAddress(providerId: string): Promise<string | null> {
  const row = await selectWholeProvider(db(), providerId)
  if (!row?.enabled) return null
  const given = new AbortController()
  try {
    const config = await Promise.race([
      configurationOf(issuingOf(row)),
      wait(patience, null, { signal: given.signal, ref: false }),
    ])
    const address = config?.serverMetadata().end_session_endpoint
    if (!config || !address || !/^https?:$/.test(new URL(address).protocol)) return null
    return buildEndSessionUrl(config, {}).href
  } catch {
    return null
  } finally {
    given.abort()
  }
}
