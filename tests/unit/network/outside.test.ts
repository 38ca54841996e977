import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AddressBlocked, fetchExternal, isPublicAddress } from '@/lib/base/http/external-fetch'
import { isPrivateSubnet, isWithin } from '@/lib/base/runtime/subnet'

test.each([
  ['8.8.8.8', true],
  ['2a00:1450:4010:c0b::71', true],
  ['::ffff:8.8.8.8', true],
  ['127.0.0.1', false],
  ['127.255.255.254', false],
  ['0.0.0.0', false],
  ['10.1.2.3', false],
  ['172.31.255.255', false],
  ['192.168.0.1', false],
  ['100.64.0.1', false],
  ['169.254.169.254', false],
  ['198.18.0.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:7f00:1', false],
  ['::127.0.0.1', false],
  ['fe80::1', false],
  ['fd00:ec2::254', false],
  ['64:ff9b::7f00:1', false],
  ['2002:7f00:1::', false],
  ['ff02::1', false],
  ['2001:db8::1', false],
  ['localhost', false],
])('%s public: %s', (address, is) => {
  expect(isPublicAddress(address)).toBe(is)
})

test.each([
  ['10.0.0.0/8', true],
  ['10.2.0.0/16', true],
  ['127.0.0.1', true],
  ['::1', true],
  ['fd12::/16', true],
  ['0.0.0.0/0', false],
  ['172.0.0.0/8', false],
  ['8.8.8.8', false],
  ['169.254.0.0/16', false],
  ['::/0', false],
])('a private subnet: %s %s', (subnet, is) => {
  expect(isPrivateSubnet(subnet)).toBe(is)
})

test('an address lies in a subnet of its kind', () => {
  expect(isWithin('10.1.2.3', '10.1.0.0/16')).toBe(true)
  expect(isWithin('::ffff:10.1.2.3', '10.1.0.0/16')).toBe(true)
  expect(isWithin('10.2.2.3', '10.1.0.0/16')).toBe(false)
  expect(isWithin('fd00::1', '10.1.0.0/16')).toBe(false)
  expect(isWithin('x', '10.1.0.0/16')).toBe(false)
})

describe('a call to an address that somebody entered', () => {
  const calls: string[] = []
  let port = 0
  const server = createServer((req, res) => {
    calls.push(`${req.method} ${req.url}`)
    if (req.url === '/away') return res.writeHead(302, { location: `http://127.0.0.1:${port}/secret` }).end()
    if (req.url === '/silent') return
    if (req.url === '/endless') return void res.end('x'.repeat(300 * 1024))
    if (req.url === '/nothing') return res.writeHead(204).end()
    let body = ''
    req.on('data', (chunk) => {
      body += chunk
    })
    req.on('end', () => res.writeHead(200, { 'x-type': req.headers['content-type'] ?? '' }).end(`heard ${body}`))
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => void server.close())
  const anywhere = () => true

  test('is made if the address is allowed, with its body', async () => {
    const asked: string[] = []
    const answer = await fetchExternal(
      `http://localhost:${port}/take`,
      { method: 'POST', body: new URLSearchParams({ a: 'я' }) },
      (address) => asked.push(address) > 0,
    )
    expect([answer.status, await answer.text()]).toEqual([200, 'heard a=%D1%8F'])
    expect(answer.headers.get('x-type')).toBe('application/x-www-form-urlencoded')
    // the addresses to which the name resolves decide
    expect(asked).toContain('127.0.0.1')
    expect((await fetchExternal(`http://127.0.0.1:${port}/nothing`, {}, anywhere)).status).toBe(204)
  })

  test('isn’t made to this machine in any spelling, or by a name that resolves to it', async () => {
    calls.length = 0
    const spellings = [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f.1',
      '0',
      'localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::]',
    ]
    for (const host of spellings)
      await expect(fetchExternal(`http://${host}:${port}/`, {}, isPublicAddress), host).rejects.toThrow(AddressBlocked)
    expect(calls).toEqual([])
  })

  test('follows no redirect, and ends after a timeout', async () => {
    calls.length = 0
    const answer = await fetchExternal(`http://127.0.0.1:${port}/away`, {}, anywhere)
    expect(answer.status).toBe(302)
    expect(calls).toEqual(['GET /away'])
    const silent = fetchExternal(`http://127.0.0.1:${port}/silent`, { signal: AbortSignal.timeout(50) }, anywhere)
    await expect(silent).rejects.toThrow()
  })

  test('reads only a limited answer', async () => {
    const answer = await fetchExternal(`http://127.0.0.1:${port}/endless`, {}, anywhere)
    await expect(answer.text()).rejects.toThrow('more than 262144 bytes')
  })
})
