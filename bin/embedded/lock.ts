import { open, rm, stat } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join, relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** Somebody else is using the folder. `holder` is what they said of themselves, such as an address. */
export class AlreadyRunning extends Error {
  override name = 'AlreadyRunning'
  constructor(readonly holder: string) {
    super(`already running: ${holder}`)
  }
}

export type Lock = { say(holder: string): void; release(): Promise<void> }

/** What the process behind a socket says, or undefined if none is there any more. */
function ask(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let said = ''
    const socket = connect(path)
    socket.setTimeout(2_000, () => socket.destroy())
    socket.on('data', (chunk) => {
      said += chunk
    })
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EPIPE' ? said : undefined))
    socket.on('close', () => resolve(said))
  })
}

function listen(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error))
    server.once('error', failed)
    server.listen(path, () => {
      server.off('error', failed)
      resolve(true)
    })
  })
}

/** One process that died while it removed a socket must not stop all others for good. */
const removalTime = 5_000

/**
 * Removes a socket that nobody listens on any more. One process at a time, which looks again first: while a dead
 * socket lies there nobody can listen, so what is removed is surely dead.
 */
async function removeDead(path: string): Promise<void> {
  const turn = `${path}.turn`
  const mine = await open(turn, 'wx').catch(() => undefined)
  if (!mine) {
    const { mtimeMs = Date.now() } = await stat(turn).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > removalTime) await rm(turn, { force: true })
    await setTimeout(20)
    return
  }
  try {
    if ((await ask(path)) === undefined) await rm(path, { force: true })
  } finally {
    await mine.close()
    await rm(turn, { force: true })
  }
}

/**
 * Takes the folder for this process until it ends, however it ends: the lock is a listening socket, which nobody
 * can leave behind alive. Throws AlreadyRunning.
 */
export async function lockFolder(folder: string): Promise<Lock> {
  // relative, because the path of a socket may have about a hundred bytes only
  const path = relative(process.cwd(), join(folder, 'lock'))
  let holder = `process ${process.pid}`
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.end(holder)
  })
  while (!(await listen(server, path))) {
    const said = await ask(path)
    if (said !== undefined) throw new AlreadyRunning(said)
    await removeDead(path)
  }
  server.unref()
  return {
    say: (text) => {
      holder = text
    },
    release: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
