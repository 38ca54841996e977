import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const sources = ['lib', 'bin']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => /metrics|gauges/.test(path) && path.endsWith('.ts'))
      .map((path) => readFileSync(join(folder, path), 'utf8')),
  )
  .join('\n')

/** Names of metrics in a text, without what Prometheus adds to those of a histogram. */
const namesIn = (text: string) =>
  [...new Set(text.match(/\b(?:platform|http)_\w+/g))].map((name) => name.replace(/_(?:bucket|count|sum)$/, ''))

test.each(['alerts.yml', 'alerts.test.yml', 'grafana.json'])('%s asks for metrics that exist', (file) => {
  const names = namesIn(readFileSync(join('docs/operations', file), 'utf8'))
  expect(names.length).toBeGreaterThan(2)
  for (const name of names) expect(sources, name).toMatch(new RegExp(`['"]?${name}['"]?`))
})

test('every metric of the platform is on the dashboard or in a rule', () => {
  const watched = ['alerts.yml', 'grafana.json'].map((file) => readFileSync(join('docs/operations', file), 'utf8'))
  const made = namesIn(sources)
  expect(made).toContain('platform_check_up')
  for (const name of made) expect(watched.join('\n'), name).toContain(name)
})
