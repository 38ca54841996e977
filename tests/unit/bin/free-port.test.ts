import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freePort } from '@/bin/embedded/process'

test('a free port is none that the system gives to connections meanwhile, and none is given twice', async () => {
  const ports = await Promise.all(Array.from({ length: 200 }, freePort))
  expect(new Set(ports).size).toBe(ports.length)
  expect(ports.filter((port) => port < 20_000 || port >= 32_768)).toEqual([])
})

test('a free port can be listened at', async () => {
  const port = await freePort()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  expect(server.address()).toMatchObject({ port })
  server.close()
})
