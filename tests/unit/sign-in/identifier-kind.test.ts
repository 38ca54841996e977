import { describe, expect, it } from 'vitest'
import { identifierKind } from '@/lib/sign-in/attempts/identifier-kind'

const all = ['login', 'email', 'mobile'] as const

describe('identifierKind', () => {
  it.each([
    ['a.petrova@polaris.example', 'email'],
    [' a.petrova@polaris.example ', 'email'],
    ['@', 'email'],
    ['+79000000000@sms.example', 'email'],
    ['+7 900 000-00-00', 'mobile'],
    ['8 (900) 000-00-00', 'mobile'],
    ['9000000000', 'mobile'],
    ['900000000', 'login'],
    ['+7', 'login'],
    ['petrova', 'login'],
    ['петрова', 'login'],
    ['7900000000a', 'login'],
    ['', 'login'],
  ])('recognizes %j as %s when all are offered', (text, kind) => {
    expect(identifierKind(text, [...all])).toBe(kind)
  })

  it.each([
    ['petrova', ['email', 'mobile'], 'email'],
    ['petrova', ['mobile'], 'mobile'],
    ['a@b.example', ['login', 'mobile'], 'login'],
    ['a@b.example', ['mobile'], 'mobile'],
    ['+7 900 000-00-00', ['login', 'email'], 'login'],
    ['+7 900 000-00-00', ['email'], 'email'],
    ['900', ['email', 'mobile'], 'mobile'],
  ] as const)('treats %j among %j as %s', (text, allowed, kind) => {
    expect(identifierKind(text, [...allowed])).toBe(kind)
  })
})
