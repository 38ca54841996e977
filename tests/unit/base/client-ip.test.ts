import { describe, expect, test } from 'vitest'
import { clientIp, isTrusted, networkOf, networksOf } from '@/lib/base/limits/client-ip'

const proxies = ['10.0.0.0/8', '192.0.2.10/32', '2001:db8:aaaa::/48']

describe('without a trusted proxy', () => {
  test.each([
    ['203.0.113.5', '203.0.113.5'],
    ['::ffff:203.0.113.5', '203.0.113.5'],
    ['::FFFF:203.0.113.5', '203.0.113.5'],
    ['2001:0DB8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::1', '::1'],
    [undefined, ''],
    ['', ''],
    ['/run/socket', ''],
  ])('the socket %s is %s', (socket, ip) => expect(clientIp(socket, undefined, [])).toBe(ip))

  test('a header of the client is not trusted', () => {
    expect(clientIp('203.0.113.5', '1.2.3.4', [])).toBe('203.0.113.5')
    expect(clientIp('203.0.113.5', '1.2.3.4', proxies)).toBe('203.0.113.5')
    expect(clientIp('::ffff:203.0.113.5', '10.0.0.1', proxies)).toBe('203.0.113.5')
  })
})

describe('through trusted proxies', () => {
  test.each([
    ['one', '203.0.113.5', '203.0.113.5'],
    ['two', '203.0.113.5, 192.0.2.10', '203.0.113.5'],
    ['what the client invented stands left of its own address', '1.1.1.1, 203.0.113.5', '203.0.113.5'],
    ['and so does a forged chain of proxies', '1.1.1.1, 10.0.0.7, 203.0.113.5, 192.0.2.10', '203.0.113.5'],
    ['only proxies: the leftmost of them', '10.0.0.9, 10.0.0.8', '10.0.0.9'],
    ['without spaces', '203.0.113.5,10.0.0.8', '203.0.113.5'],
    ['a port', '203.0.113.5:4711', '203.0.113.5'],
    ['quotes', '"203.0.113.5"', '203.0.113.5'],
    ['IPv6', '2001:DB8:0:0::5', '2001:db8::5'],
    ['IPv6 in brackets', '[2001:db8::5]', '2001:db8::5'],
    ['IPv6 in brackets with a port', '"[2001:db8::5]:4711"', '2001:db8::5'],
    ['an IPv6 proxy', '203.0.113.5, 2001:db8:aaaa::1', '203.0.113.5'],
    ['its neighbour is none', '203.0.113.5, 2001:db8:aaab::1', '2001:db8:aaab::1'],
    ['mapped IPv4', '::ffff:203.0.113.5', '203.0.113.5'],
    ['a mapped proxy', '203.0.113.5, ::ffff:10.1.2.3', '203.0.113.5'],
    ['the private address of a client', '172.16.0.1', '172.16.0.1'],
  ])('%s', (_, header, ip) => {
    expect(clientIp('10.0.0.1', header, proxies)).toBe(ip)
    expect(clientIp('::ffff:10.0.0.1', header, proxies)).toBe(ip)
  })

  test.each([
    '',
    'unknown',
    '_hidden',
    '203.0.113.5.6',
    '203.0.113',
    '0x7f.1',
    '127.1',
    '2130706433',
    '203.0.113.05',
    '203.0.113.5/24',
    '[203.0.113.5]',
    '[2001:db8::5',
    '2001:db8::5]',
    '203.0.113.5:4711:1',
    'localhost',
    '<script>',
    '203.0.113.5 10.0.0.2',
    '٢٠٣.0.113.5',
  ])('an invalid entry ends the reading: %j', (entry) => {
    expect(clientIp('10.0.0.1', entry, proxies)).toBe('10.0.0.1')
    expect(clientIp('10.0.0.1', `203.0.113.5, ${entry}`, proxies)).toBe('10.0.0.1')
    expect(clientIp('10.0.0.1', `203.0.113.5, ${entry}, 10.0.0.2`, proxies)).toBe('10.0.0.2')
  })

  test('an empty entry between two others', () =>
    expect(clientIp('10.0.0.1', '203.0.113.5,,10.0.0.2', proxies)).toBe('10.0.0.2'))
})

describe('the list of proxies', () => {
  test.each([
    [['0.0.0.0/0'], '10.0.0.1', '203.0.113.5'],
    [['::/0'], '2001:db8::1', '203.0.113.5'],
    [['10.0.0.1'], '10.0.0.1', '203.0.113.5'],
    [[' 10.0.0.1/32 '], '10.0.0.1', '203.0.113.5'],
    [['::ffff:10.0.0.0/104'], '10.0.0.1', '203.0.113.5'],
    [['10.0.0.0/31'], '10.0.0.2', '10.0.0.2'],
    [['10.0.0.0/33'], '10.0.0.1', '10.0.0.1'],
    [['10.0.0.0/-1'], '10.0.0.1', '10.0.0.1'],
    [['10.0.0.0/'], '10.0.0.1', '10.0.0.1'],
    [['10.0.0.0/8/8'], '10.0.0.1', '10.0.0.1'],
    [['not a subnet', '10.0.0.0/8'], '10.0.0.1', '203.0.113.5'],
    [['fe80::/10'], 'fe80::1%eth0', '203.0.113.5'],
  ])('%j turns %s into %s', (subnets, socket, ip) => expect(clientIp(socket, '203.0.113.5', subnets)).toBe(ip))
})

test('a very long header is read from its end', () => {
  const header = `${'1.1.1.1, '.repeat(1_500)}203.0.113.5`
  expect(clientIp('10.0.0.1', header, proxies)).toBe('203.0.113.5')
})

test('limits count an IPv4 address, and the network of an IPv6 address', () => {
  expect(networkOf('203.0.113.7')).toBe('203.0.113.7')
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe(networkOf('2001:db8:1:2:ffff::1'))
  expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'))
  expect(networkOf('')).toBe('')
})

test('a proxy is trusted by its own address only', () => {
  for (const socket of ['10.0.0.1', '::ffff:10.0.0.1', '2001:db8:aaaa::9'])
    expect(isTrusted(socket, proxies)).toBe(true)
  for (const socket of ['203.0.113.5', '2001:db8:aaab::9', '', undefined])
    expect(isTrusted(socket, proxies)).toBe(false)
  expect(isTrusted('10.0.0.1', [])).toBe(false)
})

test('and also the /48 of an IPv6 address', () => {
  expect(networksOf('203.0.113.7')).toEqual(['203.0.113.7'])
  expect(networksOf('2001:db8:1:2:3:4:5:6')).toEqual(['2001:db8:1:2::/64', '2001:db8:1::/48'])
  expect(networksOf('2001:db8:1:ffff::1')[1]).toBe(networksOf('2001:db8:1::9')[1])
  expect(networksOf('2001:db8:2::1')[1]).not.toBe(networksOf('2001:db8:1::1')[1])
})
