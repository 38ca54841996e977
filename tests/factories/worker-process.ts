import { spawn } from 'node:child_process'
import { bundled } from '../setup/bundled'

/**
 * Starts a worker in another process on the same services, as production does, but with its own tasks: `code` is the
 * body of an async function with `load(path)` for our modules and `allTasks`, and returns the tasks.
 */
export async function startWorker(code: string) {
  const program = `
    const load = (path) => import(${JSON.stringify(`${bundled('')}/`)} + path.replace(/\\.ts$/, '.js'))
    const { runWorker } = await load('bin/worker/run.ts')
    const { allTasks } = await load('lib/wiring/tasks.ts')
    runWorker(await (async () => { ${code} })())`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: process.env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      printed += chunk
    })
  const ended = new Promise<number | string | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ?? code)),
  )
  const early = await Promise.race([new Promise((resolve) => child.once('message', () => resolve('working'))), ended])
  // one that kills itself at its first work may end before its message arrives
  if (early !== 'working' && early !== 'SIGKILL') throw new Error(`the worker did not start (${early}): ${printed}`)
  return {
    ended,
    /** Ends it with this signal. Returns its exit code or signal. */
    end(signal: NodeJS.Signals) {
      child.kill(signal)
      return ended
    },
  }
}
