import { within } from '../patience'
import { DatabaseSilent, PatientClient } from './client'

/**
 * Whether PostgreSQL says anything at all within so many milliseconds, over a connection of its own: a refusal is an
 * answer too. Gives what it refused with, `undefined` when all is well. Throws DatabaseSilent or the socket's error.
 */
export async function askDatabase(connectionString: string, patience: number): Promise<string | undefined> {
  const client = new PatientClient({
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
    await within(patience, answer, () => new DatabaseSilent('PostgreSQL does not answer'))
    return undefined
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && 'severity' in (error as object)) return code
    client.giveUp()
    throw error
  } finally {
    // not awaited: a server that hangs would hold the answer up
    client.end().catch(() => {})
  }
}
