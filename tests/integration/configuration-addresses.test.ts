import { expect, test, vi } from 'vitest'
import { admin, apply, changed, difference, one, text, useDemoConfiguration } from '../factories/configuration'
import { useTestDatabase } from '../setup/database'

vi.setConfig({ testTimeout: 60_000 })
useTestDatabase()
useDemoConfiguration()

test('applications with methods exchange their addresses', async () => {
  const exchanged = changed(({ applications }) => {
    const [procurement, warehouse] = ['procurement', 'warehouse'].map((code) => one(applications, 'code', code))
    ;[procurement.url, warehouse.url] = [warehouse.url, procurement.url]
  })
  for (const file of [exchanged, text]) {
    expect(await apply(admin, file)).toMatchObject({ status: 200 })
    expect(await difference(admin, file)).toMatchObject({ status: 200, body: { changes: [] } })
  }
})

test('two applications with methods don’t get one address', async () => {
  const shared = changed(({ applications }) => {
    one(applications, 'code', 'warehouse').url = one(applications, 'code', 'procurement').url
  })
  const { status, body } = await apply(admin, shared)
  expect([status, body.data.errorList]).toEqual([400, [{ field: 'applications[warehouse]', code: 'addressOfApi' }]])
})
