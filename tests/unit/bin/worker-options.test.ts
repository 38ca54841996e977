import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { workerOptions } from '@/bin/lean'

test('npm and compose start a worker with the options that the benchmark measures', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> }
  expect(scripts.worker).toMatch(new RegExp(` ${workerOptions.join(' ')} dist/worker\\.js$`))
  const command = JSON.stringify(['node', ...workerOptions, 'dist/worker.js']).replaceAll(',', ', ')
  expect(await readFile('compose.yaml', 'utf8')).toContain(`command: ${command}`)
})
