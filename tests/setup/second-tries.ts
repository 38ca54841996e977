import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Reporter, TestCase } from 'vitest/node'

/** Writes a list of the tests that failed first and passed when they were tried again to the file SECOND_TRIES. */
export default class SecondTries implements Reporter {
  #found: string[] = []

  onTestCaseResult(test: TestCase) {
    if (test.diagnostic()?.flaky) this.#found.push(`${test.module.relativeModuleId}: ${test.fullName}`)
  }

  onTestRunEnd() {
    const file = process.env.SECOND_TRIES
    if (!file) return
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(this.#found))
  }
}
