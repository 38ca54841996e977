import { expect, test } from 'vitest'
import { addGauge, metrics } from '@/lib/base/runtime/metrics'

const textOf = (name: string) => metrics().registry.getSingleMetricAsString(name)

test.each([[], ['kind']])('a gauge that can’t be read is left out, with the labels [%s]', async (...labelNames) => {
  const name = ['sample', ...labelNames].join('_')
  const labels = Object.fromEntries(labelNames.map((label) => [label, 'x']))
  let fails = false
  const read = async () => {
    if (fails) throw new Error('the database is away')
    return [{ labels, value: 7 }]
  }
  addGauge({ name, help: 'A sample', labelNames, across: 'max', read })
  expect(await textOf(name)).toMatch(/ 7$/m)
  fails = true
  expect(await textOf(name)).not.toMatch(new RegExp(`^${name}`, 'm'))
  fails = false
  expect(await textOf(name)).toMatch(/ 7$/m)
})

test('a gauge without a value is left out', async () => {
  addGauge({ name: 'sample_none', help: 'A sample', across: 'max', read: () => [] })
  expect(await textOf('sample_none')).not.toMatch(/^sample_none/m)
})
