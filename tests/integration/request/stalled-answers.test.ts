import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createAnswering } from '@/bin/server/rest'
import { answerRest } from '@/lib/request/rest'

const shared = globalThis as typeof globalThis & { platformRestHandlers?: Map<string, () => Response> }

test.each(['identity', 'gzip'])(
  'an answer (%s) that ends while its client reads nothing ends the connection',
  async (encoding) => {
    let giveUp = () => {}
    let made = 0
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        made++
        controller.enqueue(crypto.getRandomValues(new Uint8Array(65_536)))
      },
      start: (controller) => {
        giveUp = () => controller.error(new Error('nobody takes the answer'))
      },
    })
    shared.platformRestHandlers = new Map([
      ['listNetworkAliases', () => new Response(body, { headers: { 'content-type': 'text/csv' } })],
    ])
    const answer = createAnswering('http://localhost', answerRest)
    const answered: Promise<void>[] = []
    const server = createServer((req, res) => void answered.push(answer(req, res))).listen(0)
    const socket = connect((server.address() as AddressInfo).port)
    onTestFinished(() => {
      delete shared.platformRestHandlers
      socket.destroy()
      server.close()
    })
    socket.pause()
    socket.write(
      `GET /api/v1/platform/setting/network-aliases HTTP/1.1\r\nhost: localhost\r\naccept-encoding: ${encoding}\r\n\r\n`,
    )
    // the buffers of the connection are full when no more is made
    for (let madeBefore = -1; made <= 3 || made !== madeBefore; await pause(200)) madeBefore = made
    giveUp()
    await expect.poll(() => answered.length).toBe(1)
    await answered[0]
    await expect.poll(() => new Promise((resolve) => server.getConnections((_, count) => resolve(count)))).toBe(0)
  },
)
