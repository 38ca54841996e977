import { setTimeout as wait } from 'node:timers/promises'
import { buildEndSessionUrl } from 'openid-client'
import { db } from '@/db/client'
import { configurationOf } from './openid'
import { selectWholeProvider } from './queries'
import { issuerConnectionOf } from './sign-in'

/** The timeout in milliseconds for the metadata of a provider during a sign-out. */
const metadataTimeout = 2_000

/**
 * Returns the address where people sign out at an enabled provider; null if it has none or doesn't answer within the
 * timeout: the sign-out here doesn't depend on it. The provider asks the person to confirm, because it gets no token as
 * a hint.
 */
export async function endAddress(providerId: string): Promise<string | null> {
  const row = await selectWholeProvider(db(), providerId)
  if (!row?.enabled) return null
  const timer = new AbortController()
  try {
    const config = await Promise.race([
      configurationOf(issuerConnectionOf(row)),
      wait(metadataTimeout, null, { signal: timer.signal, ref: false }),
    ])
    const address = config?.serverMetadata().end_session_endpoint
    if (!config || !address || !/^https?:$/.test(new URL(address).protocol)) return null
    return buildEndSessionUrl(config, {}).href
  } catch {
    return null
  } finally {
    timer.abort()
  }
}
