import { withTimeout } from '../runtime/timeouts'
import { DatabaseTimeout, TimeoutClient } from './client'

/**
 * Asks PostgreSQL over a separate connection. Returns the SQLSTATE with which it refused, which is an answer too, or
 * `undefined` when all is well. Throws DatabaseSilent after so many milliseconds, or the error of the socket.
 */
export async function askDatabase(connectionString: string, patience: number): Promise<string | undefined> {
  const client = new TimeoutClient({
    connectionString,
    application_name: 'platform probe',
    patience: { connect: patience, silence: patience },
  })
  client.on('error', () => {})
  try {
    const answer = (async () => {
      await client.connect()
      await client.query('select 1')
    })()
    await withTimeout(patience, answer, () => new DatabaseTimeout('PostgreSQL does not answer'))
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
