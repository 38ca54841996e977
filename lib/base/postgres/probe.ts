import { withTimeout } from '../runtime/timeouts'
import { DatabaseTimeout, TimeoutClient } from './client'

/**
 * Probes PostgreSQL over a separate connection. Returns `undefined` if it answers, or the SQLSTATE of its refusal,
 * which is an answer too. Throws DatabaseTimeout after `timeout` milliseconds, or the error of the socket.
 */
export async function askDatabase(connectionString: string, timeout: number): Promise<string | undefined> {
  const client = new TimeoutClient({
    connectionString,
    application_name: 'platform probe',
    timeouts: { connect: timeout, silence: timeout },
  })
  client.on('error', () => {})
  try {
    const answer = (async () => {
      await client.connect()
      await client.query('select 1')
    })()
    await withTimeout(timeout, answer, () => new DatabaseTimeout('PostgreSQL does not answer'))
    return undefined
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && 'severity' in (error as object)) return code
    client.giveUp()
    throw error
  } finally {
    // not awaited: a server that hangs would delay the result
    client.end().catch(() => {})
  }
}
