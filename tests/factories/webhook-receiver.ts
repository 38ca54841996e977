import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = { headers: IncomingHttpHeaders; body: string; path: string }
export type WebhookMessage = {
  type: string
  timestamp: string
  data: { id: string; entity: string; changedFields: string[] }
}
type Answer = number | 'hang up' | 'never' | { status: number; headers?: Record<string, string>; body?: string }

/** A receiver of webhooks on this machine, which can be told to fail. */
export async function startReceiver(
  answer: (received: Received, count: number) => Answer | Promise<Answer> = () => 204,
) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const one = { headers: request.headers, body, path: request.url ?? '' }
    received.push(one)
    const given = await receiver.answer(one, received.length)
    if (given === 'never') return
    if (given === 'hang up') return void request.socket.destroy()
    const { status, headers = {}, body: text = '' } = typeof given === 'number' ? { status: given } : given
    response.writeHead(status, headers).end(text)
  })
  const receiver = {
    received,
    answer,
    url: '',
    close: () => void server.close(),
    messages: () => received.map(({ body }) => JSON.parse(body) as WebhookMessage),
  }
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  // it ends with the process
  server.unref()
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return receiver
}
