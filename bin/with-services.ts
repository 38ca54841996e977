import { type Embedded, startEmbedded } from './embedded'
import { AlreadyRunning } from './embedded/lock'
import { whenNpmIsGone } from './parent'
import { createCrew } from './processes'

type Crew = ReturnType<typeof createCrew>
type Work = (services: { embedded: Embedded; crew: Crew; failed: (error: Error) => void }) => Promise<void>

/**
 * Runs a command on embedded services until Ctrl+C or a failure, and then stops everything that it started: first the
 * processes, in reverse order, then Redis and PostgreSQL.
 */
export async function withServices(folder: string, what: string, work: Work): Promise<void> {
  const crew = createCrew()
  const starting = startEmbedded({ folder, durable: true, given: process.env })
  let stopping: Promise<void> | undefined

  const stop = (code: number) => {
    stopping ??= crew.stop().then(async () => (await starting.catch(() => undefined))?.stop())
    return stopping.finally(() => process.exit(code))
  }
  const failed = (error: Error) => {
    if (stopping) return
    console.error(
      error instanceof AlreadyRunning ? `${what} is already running in this folder: ${error.holder}` : error.message,
    )
    void stop(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (!stopping) console.log('\nStopping …')
      void stop(0)
    })
  whenNpmIsGone(() => void stop(0))

  try {
    await work({ embedded: await starting, crew, failed })
  } catch (error) {
    failed(error as Error)
  }
}
