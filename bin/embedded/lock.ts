import { open, rm, stat } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join, relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** Another process uses the folder. `holder` is its description, such as an address. */
export class AlreadyRunning extends Error {
  override name = 'AlreadyRunning'
  constructor(readonly holder: string) {
    super(`already running: ${holder}`)
  }
}

export type Lock = { say(holder: string): void; release(): Promise<void> }

/** Returns the description from the process behind a socket, or undefined if that process has ended. */
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

/** Milliseconds after which a removal is abandoned: a process that died during it must not block all others. */
const removalTime = 5_000

/**
 * Removes a socket that no process listens on any more. One process at a time does so, and checks again first: while
 * a dead socket exists no process can listen on that path, so it never removes a live one.
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
 * Locks the folder until this process ends in any way: the lock is a listening socket, which closes with its process.
 * Throws AlreadyRunning.
 */
export async function lockFolder(folder: string): Promise<Lock> {
  // relative, because the path of a socket can have only about a hundred bytes
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
