import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { closeListening, ensureListening } from '@/lib/base/cache/notifications'
import { env } from '@/lib/base/runtime/env'
import { log } from '@/lib/base/runtime/log'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

afterEach(async () => {
  vi.restoreAllMocks()
  await closeListening()
})

/** BackendKeyData: its length, the process and its key. */
const keyData = Buffer.from([0x4b, 0, 0, 0, 12])

/** Passes a connection on, and names a process of its own, as a pooler does. Returns the address of the database behind. */
async function startPooler(database: URL) {
  const server = createServer((here) => {
    const outgoing = connect(Number(database.port || 5432), database.hostname)
    here.pipe(outgoing)
    outgoing.on('data', (chunk) => {
      const at = chunk.indexOf(keyData)
      if (at >= 0) chunk.writeInt32BE(1, at + keyData.length)
      here.write(chunk)
    })
    for (const [one, other] of [
      [here, outgoing],
      [outgoing, here],
    ] as const)
      one.on('close', () => other.destroy()).on('error', () => other.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  server.unref()
  const address = new URL(database)
  address.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return address.href
}

test('a process says that it reaches PostgreSQL through a pooler, and says nothing without one', async () => {
  const warnings = vi.spyOn(log, 'warn')
  const direct = env().DATABASE_URL
  await closeListening()
  expect(await ensureListening()).toBe(true)
  expect(warnings).not.toHaveBeenCalled()
  await closeListening()
  env().DATABASE_URL = await startPooler(new URL(direct))
  try {
    expect(await ensureListening()).toBe(true)
  } finally {
    env().DATABASE_URL = direct
  }
  expect(warnings.mock.calls).toEqual([[expect.stringContaining('pooler')]])
})
