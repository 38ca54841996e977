import { readdirSync, readFileSync } from 'node:fs'

type Process = { pid: number; parent: number; name: string; ticks: number }
/** Milliseconds of processor time, by process. */
export type CpuTimes = Record<'generator' | 'server' | 'postgres' | 'redis', number>

/** Clock ticks per second, the unit of times in /proc. */
const hertz = 100

function processes(): Process[] {
  const processes: Process[] = []
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'latin1')
      const end = stat.lastIndexOf(')')
      // after the name: state, parent, …; its own time, and that of its children that have ended, are the 12th to 15th
      const rest = stat.slice(end + 2).split(' ')
      const name = stat.slice(stat.indexOf('(') + 1, end)
      processes.push({
        pid: Number(entry),
        parent: Number(rest[1]),
        name,
        ticks: [11, 12, 13, 14].reduce((sum, at) => sum + Number(rest[at]), 0),
      })
    } catch {
      // the process ended meanwhile
    }
  }
  return processes
}

/**
 * Returns the processor time that this run has used so far, without other programs of the machine, so that it varies
 * less than rates do. Undefined if there is no /proc.
 */
export function cpuTimes(): CpuTimes | undefined {
  if (process.platform !== 'linux') return undefined
  const all = processes()
  const mine = new Set([process.pid])
  // children may be listed before their parents
  for (let size = 0; size !== mine.size; ) {
    size = mine.size
    for (const { pid, parent } of all) if (mine.has(parent)) mine.add(pid)
  }
  const times: CpuTimes = { generator: 0, server: 0, postgres: 0, redis: 0 }
  for (const { pid, name, ticks } of all) {
    if (!mine.has(pid)) continue
    const whose =
      pid === process.pid
        ? 'generator'
        : name.startsWith('postgres')
          ? 'postgres'
          : name.startsWith('redis')
            ? 'redis'
            : 'server'
    times[whose] += (ticks * 1000) / hertz
  }
  return times
}

export const cpuBetween = (before: CpuTimes, after: CpuTimes): CpuTimes => ({
  generator: after.generator - before.generator,
  server: after.server - before.server,
  postgres: after.postgres - before.postgres,
  redis: after.redis - before.redis,
})
