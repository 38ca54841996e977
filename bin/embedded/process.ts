import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { promisify } from 'node:util'

export const run = promisify(execFile)
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const given = new Set<number>()

/**
 * A free port of the loopback interface for a program that can't tell at which it listens. It is none of those that the
 * system gives to connections, which could take it meanwhile, and no other call in this process gets it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768)
    if (given.has(port)) continue
    given.add(port)
    const isFree = await new Promise<boolean>((resolve) => {
      const server = createServer()
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}

export type Service = { child: ChildProcess; stop(): Promise<void> }
type Options = {
  log: string
  cwd: string
  /** The signal for a clean stop. */
  signal: NodeJS.Signals
  ids?: { uid: number; gid: number }
}

/**
 * Starts a server in its own process group, so that Ctrl+C reaches only this process, which stops everything in order.
 * Its output goes to a file, which stays after this process ends.
 */
export async function startService(
  command: string,
  args: string[],
  { log, cwd, signal, ids }: Options,
): Promise<Service> {
  const output = await open(log, 'a', 0o600)
  const child = spawn(command, args, { cwd, ...ids, detached: true, stdio: ['ignore', output.fd, output.fd] })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', reject)
  }).finally(() => output.close())
  // the process ended without cleanup, as a test runner does at Ctrl+C
  const orphaned = () => child.kill(signal)
  process.once('exit', orphaned)
  return {
    child,
    async stop() {
      process.off('exit', orphaned)
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill(signal)
      const timer = setTimeout(() => child.kill('SIGKILL'), 15_000)
      await ended
      clearTimeout(timer)
    },
  }
}

/** Tries until it succeeds. If the process has ended, it throws the last lines that the process wrote. */
export async function untilUp(
  name: string,
  service: Service,
  log: string,
  attempt: () => Promise<void>,
): Promise<void> {
  const limit = Date.now() + 60_000
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      const { exitCode, signalCode } = service.child
      if (exitCode === null && signalCode === null && Date.now() < limit) {
        await pause(50)
        continue
      }
      const tail = (await readFile(log, 'utf8').catch(() => '')).trim().split('\n').slice(-8).join('\n')
      await service.stop()
      throw new Error(`${name} does not start (${log}):\n${tail}`, { cause: error })
    }
  }
}

/** Returns the command line of a process, '' if it doesn't run. */
async function commandOf(pid: number): Promise<string> {
  const fromProc = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined)
  if (fromProc !== undefined) return fromProc.replaceAll('\0', ' ')
  return run('ps', ['-p', String(pid), '-o', 'command=']).then(
    ({ stdout }) => stdout,
    () => '',
  )
}

/**
 * Ends a server that still runs after its starter has ended: the process with this id, if its command line names the
 * folder.
 */
export async function endLeftBehind(pid: number, folder: string, signal: NodeJS.Signals): Promise<void> {
  const mine = async () => (await commandOf(pid)).includes(folder)
  if (!Number.isInteger(pid) || pid <= 1 || !(await mine())) return
  process.kill(pid, signal)
  for (let waited = 0; waited < 15_000; waited += 100) {
    if (!(await mine())) return
    await pause(100)
  }
  process.kill(pid, 'SIGKILL')
  while (await mine()) await pause(50)
}
