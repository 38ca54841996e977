import { inspect } from 'node:util'
import type { TestContext } from 'vitest'
import { log } from '@/lib/base/runtime/log'

type Log = (...line: unknown[]) => void

/**
 * Collects what the code of the calling test logs as a warning or an error, and prints it if the test fails: of a store
 * that was slow only the log tells the reason.
 */
export function printWarningsOfFailure({ onTestFailed }: TestContext) {
  const lines: string[] = []
  const collect: Log = (...line) => lines.push(line.map((part) => inspect(part, { depth: 6 })).join(' '))
  Object.assign(log, { warn: collect, error: collect })
  onTestFailed(() => {
    if (lines.length > 0) console.log(`Logged:\n${lines.slice(-20).join('\n')}`)
  })
}
