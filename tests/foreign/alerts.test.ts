import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Prometheus’ own tool; Debian has it in the package `prometheus`. */
const { PROMTOOL } = process.env

test.runIf(PROMTOOL)('promtool loads the alert rules, and they raise what their tests say', async () => {
  const run = async (...args: string[]) => (await promisify(execFile)(PROMTOOL ?? '', args)).stdout
  expect(await run('check', 'rules', 'docs/operations/alerts.yml')).toContain('SUCCESS')
  expect(await run('test', 'rules', 'docs/operations/alerts.test.yml')).toContain('SUCCESS')
})
