import { describe, expect, test } from 'vitest'
import { contactLink, pageLink } from '@/lib/base/text/page-link'
import { hostName } from '@/lib/site/domains/host'

test.each([
  ['Partners.Localhost:3000', 'partners.localhost'],
  ['id.example.com.', 'id.example.com'],
  ['id.example.com.:443', 'id.example.com'],
  ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
  ['[::1]:3000', '[::1]'],
  ['127.0.0.1:80', '127.0.0.1'],
  ['', ''],
  ['a b', ''],
])('the host %s is normalized to %s', (host, name) => {
  expect(hostName(host)).toBe(name)
})

describe('a link on a page', () => {
  test.each(['https://polaris.example/a?b=1', '/platform/help', '/'])('may be %s', (link) => {
    expect(pageLink(link)).toBe(link)
  })
  test.each([
    'https://polaris.example@evil.example/',
    'https://polaris.example:x@evil.example/',
    'https:polaris.example',
    'https:/polaris.example',
    'https:///polaris.example',
    'https:\\\\polaris.example',
    'http://polaris.example/',
    'javascript:alert(1)',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'data:text/html,x',
    'help',
    '',
    null,
  ])('may not be %s', (link) => {
    expect(pageLink(link)).toBeNull()
  })
  test('may be an e-mail or a phone number where people learn how to reach support', () => {
    expect(contactLink('mailto:support@polaris.example')).toBe('mailto:support@polaris.example')
    expect(contactLink('tel:+79000000001')).toBe('tel:+79000000001')
    expect(contactLink('https://polaris.example/')).toBe('https://polaris.example/')
    expect(contactLink('sms:+79000000001')).toBeNull()
    expect(contactLink('mailto:a@b.example"><script>')).toBeNull()
  })
})
