import { expect, test } from 'vitest'
import { hostOf } from '@/lib/openid/server/consent'

test.each([
  ['https://app.example:8443/cb', 'app.example:8443'],
  ['https://bank.example@other.example/cb', 'other.example'],
  ['https://bаnk.example/', 'xn--bnk-6cd.example'],
  ['com.example.app:/cb', 'com.example.app'],
  ['thief://bank.example/cb', 'thief'],
  ['no address', null],
  [undefined, null],
])('%s is shown as %s, because a program gets the text after its scheme', (address, host) =>
  expect(hostOf(address)).toBe(host),
)
