import { test } from '@playwright/test'
import { type Printed, type ServerProcess, type Started, startServer } from './server-process'

async function kill(processes: Promise<Started>[]) {
  for (const started of await Promise.allSettled(processes.splice(0)))
    if (started.status === 'fulfilled') {
      started.value.child.kill('SIGKILL')
      await started.value.ended
    }
}

/** Returns a function that starts a server for the running test, with which it ends. */
export function serversOfTest(common: Record<string, string> = {}) {
  const running: Promise<ServerProcess>[] = []
  test.afterEach(() => kill(running))
  return (env: Record<string, string> = {}, printed?: Printed) => {
    const started = startServer({ ...common, ...env }, printed)
    running.push(started)
    return started
  }
}

/** Returns a function that returns the server of the file's tests. The first that asks for it starts it. */
export function serverOfFile(
  env: Record<string, string> | (() => Promise<Record<string, string>>) = {},
  printed?: Printed,
) {
  const running: Promise<ServerProcess>[] = []
  test.afterAll(() => kill(running))
  const start = async () => startServer(typeof env === 'function' ? await env() : env, printed)
  return (): Promise<ServerProcess> => {
    const [started = start()] = running
    running[0] = started
    return started
  }
}
