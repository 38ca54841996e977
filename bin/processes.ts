import { type ChildProcess, spawn } from 'node:child_process'

export type Command = {
  name: string
  /** The arguments for Node: options, script, arguments of the script. */
  args: string[]
  env: Record<string, string | undefined>
}

type Running = { child: ChildProcess; ready: Promise<unknown>; ended: Promise<string> }

/** Longer than the server and the worker take to stop. */
const grace = 12_000

/**
 * Starts a child in its own process group, so that Ctrl+C reaches only this process, which stops everything in order.
 * If this process dies, its closed channel tells the child to stop.
 */
function start({ args, env }: Command): Running {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ready = new Promise<unknown>((resolve) => child.once('message', resolve))
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`))
  })
  return { child, ready, ended }
}

async function end({ child, ended }: Running) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const group = -child.pid
  child.kill('SIGTERM')
  const timer = setTimeout(() => process.kill(group, 'SIGKILL'), grace)
  await ended
  clearTimeout(timer)
}

/** The child processes of a command such as demo or dev, started one after another and ended in reverse. */
export function createCrew() {
  const members: { running: Running }[] = []
  let stopping = false

  function add(command: Command) {
    if (stopping) throw new Error('stopping')
    const member = { running: start(command) }
    members.push(member)
    return member
  }

  return {
    /** Runs a command until it ends and returns the first message that it sent. Throws if it fails. */
    async run(command: Command): Promise<unknown> {
      const member = add(command)
      let message: unknown
      member.running.child.once('message', (value) => {
        message = value
      })
      const how = await member.running.ended
      members.splice(members.indexOf(member), 1)
      if (how !== 'code 0') throw new Error(`${command.name} failed (${how})`)
      return message
    },

    /**
     * Starts a command, waits until it reports that it is ready, and then restarts it whenever it ends. Throws if it
     * ends before it is ready. Calls `failed` if it ends five times within a minute.
     */
    async keep(command: Command, failed: (error: Error) => void): Promise<void> {
      const member = add(command)
      let deaths: number[] = []
      const watch = () =>
        member.running.ended.then((how) => {
          if (stopping) return
          const now = Date.now()
          deaths = [...deaths.filter((at) => now - at < 60_000), now]
          if (deaths.length === 5) return failed(new Error(`${command.name} keeps ending (${how})`))
          console.error(`${command.name} ended (${how}) and starts again`)
          member.running = start(command)
          void watch()
        })
      const { ready, ended } = member.running
      const early = await Promise.race([ready.then(() => undefined), ended])
      if (early !== undefined) throw new Error(`${command.name} did not start (${early})`)
      void watch()
    },

    /** Ends all processes, the last started first. */
    async stop(): Promise<void> {
      stopping = true
      for (const { running } of members.splice(0).reverse()) await end(running)
    },
  }
}
