import { rename, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join, relative } from 'node:path'

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
    // left behind: moved away first, and looked at again, in case another start was quicker
    const aside = `${path}.${process.pid}`
    const moved = await rename(path, aside).then(
      () => true,
      () => false,
    )
    if (!moved) continue
    const quicker = await ask(aside)
    if (quicker !== undefined) {
      await rename(aside, path)
      throw new AlreadyRunning(quicker)
    }
    await rm(aside, { force: true })
  }
  server.unref()
  return {
    say: (text) => {
      holder = text
    },
    release: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
