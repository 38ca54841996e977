import { expect, test, vi } from 'vitest'
import { shellContext } from '@/bin/operator'
import { configurationText, importText } from '@/lib/operations/configuration-file/service'
import { admin, apply, changed, difference, one, text, useDemoConfiguration } from '../../factories/configuration'
import { useTestDatabase } from '../../setup/database'

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

test('a command imports an address with a token of an application that gets a new method', async () => {
  const file = changed(({ applications, clients }) => {
    const { methods, serviceMethods } = one(applications, 'code', 'warehouse')
    methods.unshift({ code: 'a.new', name: 'Новый', nameEn: '' })
    serviceMethods.push('warehouse: a.new')
    serviceMethods.sort()
    one(clients, 'application', 'warehouse').backchannelLogoutUri = 'https://app.example/logout?key=a-token'
  })
  const given = { text: file, prune: false, dry: false }
  const { changes } = await importText(await shellContext(), given)
  expect(changes.map(({ section }) => section)).toEqual(['applications', 'clients'])
  expect((await importText(await shellContext(), given)).changes).toEqual([])
  expect(await configurationText(await shellContext())).toContain('warehouse: a.new')
})
