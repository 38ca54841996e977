import { createHash } from 'node:crypto'
import { rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type Embedded, startEmbedded } from '@/bin/embedded'
import { AlreadyRunning } from '@/bin/embedded/lock'

const memory = '/dev/shm'
const needed = 2 * 1024 ** 3

/** A path in memory if the machine has enough of it, otherwise in .data. */
async function placeOf(name: string): Promise<string> {
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }))
  if (bavail * bsize < needed) return join('.data', name)
  const project = createHash('sha256').update(process.cwd()).digest('hex').slice(0, 12)
  return join(memory, `platform-${project}-${name}`)
}

/**
 * Starts PostgreSQL and Redis for tests, beside those of other runs. Their data is in memory where that is possible: a
 * clone of the database is a thousand files, which a busy disk takes seconds to create.
 */
export async function startServices(name: string): Promise<Embedded> {
  const place = await placeOf(name)
  for (let number = 1; ; number++) {
    const folder = number === 1 ? place : `${place}-${number}`
    try {
      const embedded = await startEmbedded({ folder, durable: false })
      const stop = async () => {
        await embedded.stop()
        if (folder.startsWith(memory)) await rm(folder, { recursive: true, force: true })
      }
      return { ...embedded, stop }
    } catch (error) {
      if (!(error instanceof AlreadyRunning) || number === 20) throw error
    }
  }
}
