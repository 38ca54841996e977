import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = 100

/**
 * Returns the processor seconds, user and system, that this process and all processes below it have used so far, with
 * those that have ended. Linux only; 0 elsewhere.
 */
export function processorSeconds(): number {
  const children = new Map<number, number[]>()
  const ticks = new Map<number, number>()
  let all: string[]
  try {
    all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return 0
  }
  for (const id of all)
    try {
      const line = readFileSync(`/proc/${id}/stat`, 'utf8')
      // the name in parentheses may have spaces
      const fields = line
        .slice(line.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number)
      const [parent = 0, used = fields.slice(11, 15)] = [fields[1]]
      children.set(parent, [...(children.get(parent) ?? []), Number(id)])
      ticks.set(
        Number(id),
        used.reduce((sum, each) => sum + each, 0),
      )
    } catch {
      // it has ended meanwhile
    }
  const usedBelow = (id: number): number =>
    (ticks.get(id) ?? 0) + (children.get(id) ?? []).reduce((sum, child) => sum + usedBelow(child), 0)
  return usedBelow(process.pid) / ticksPerSecond
}
