import { execFileSync } from 'node:child_process'

/** Returns a process and all its descendants. */
function family(pid: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  const members = [pid]
  for (const member of members) for (const [child = 0, parent] of rows) if (parent === member) members.push(child)
  return members
}

/** Returns the parent of a process. */
export const parentOf = (pid: number) =>
  Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).trim())

/** Suspends a process and its descendants; returns a function that resumes them. */
export function freeze(pid: number): () => void {
  const frozen = family(pid)
  for (const each of frozen) process.kill(each, 'SIGSTOP')
  return () => {
    for (const each of frozen.splice(0))
      try {
        process.kill(each, 'SIGCONT')
      } catch {
        // the process ended meanwhile
      }
  }
}
