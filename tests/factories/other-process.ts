import { spawn } from 'node:child_process'
import { bundled } from '../setup/bundled'

/**
 * Runs statements in another process on the same services, with the changes of `env`. `code` is the body of an async
 * function with `load(path)` for our modules. Returns its result.
 */
export function inOtherProcess(code: string, env: Record<string, string> = {}): Promise<unknown> {
  const program = `
    const load = (path) => import(${JSON.stringify(`${bundled('')}/`)} + path.replace(/\\.ts$/, '.js'))
    const work = async () => { ${code} }
    work().then(
      (value) => process.stdout.write(JSON.stringify(value ?? null), () => process.exit(0)),
      (error) => { console.error(error); process.exit(1) },
    )`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, faults] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    faults += chunk
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => (status === 0 ? resolve(JSON.parse(out)) : reject(new Error(faults))))
  })
}
