import { describe, expect, it } from 'vitest'
import { ConfigurationError, parseEnv } from '@/lib/base/runtime/env'

const parse = (more: Record<string, string>) => parseEnv({ ...process.env, ...more })
const faultsOf = (more: Record<string, string>) => {
  try {
    parse(more)
    return []
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults.map(({ variable }) => variable)
    throw error
  }
}

describe('the configuration of messages', () => {
  it('has defaults', () => {
    expect(parse({ SMS_ACCEPTED: '', SMS_TIMEOUT: '', MAIL_FROM: '' })).toMatchObject({
      SMS_TIMEOUT: 10,
      SMS_METHOD: 'POST',
    })
    expect(parse({ SMS_ACCEPTED: '' }).SMS_ACCEPTED).toBeUndefined()
    expect(parse({ SMS_ACCEPTED: '"status":\\s?"ok"' }).SMS_ACCEPTED?.test('{"status": "ok"}')).toBe(true)
  })

  it.each([
    ['SMS_ACCEPTED', '(a+)+$'],
    ['SMS_ACCEPTED', '(?=x)'],
    ['SMS_ACCEPTED', '['],
    ['SMS_TIMEOUT', '0'],
    ['SMS_TIMEOUT', '31'],
    ['SMS_HEADERS', 'x-key: 1'],
    ['SMS_URL', 'ftp://gateway'],
    ['SMTP_URL', 'mail.example.com'],
    ['MAIL_FROM', 'nobody'],
  ])('names %s when it is %s', (variable, value) => {
    expect(faultsOf({ [variable]: value })).toEqual([variable])
  })

  it.each(['id@polaris.example', 'Portal <id@polaris.example>'])('accepts %s as a sender', (from) => {
    expect(faultsOf({ MAIL_FROM: from })).toEqual([])
  })
})

describe('the whole environment', () => {
  const faults = (source: Record<string, string>) => {
    try {
      parseEnv(source)
      return []
    } catch (error) {
      if (error instanceof ConfigurationError) return error.faults.map(({ variable }) => variable)
      throw error
    }
  }

  it('is checked at once: everything that production requires is reported with all other errors, and once', () => {
    const always = ['DATABASE_URL', 'PUBLIC_URL', 'REDIS_URL', 'SECRET_KEYS']
    expect(faults({}).sort()).toEqual([...always, 'MAIL_FROM', 'SMTP_URL'].sort())
    expect(faults({ PLATFORM_MODE: 'test' }).sort()).toEqual(always)
    expect(faults({ PORT: 'none', PUBLIC_URL: 'http://id.example.com', REDIS_URL: 'mock:' }).sort()).toEqual(
      [...always, 'MAIL_FROM', 'PORT', 'SMTP_URL'].sort(),
    )
    expect(faults({ PLATFORM_MODE: 'prod' })).toContain('PLATFORM_MODE')
  })

  it('serves metrics only to this machine by default', () => {
    expect(parse({}).METRICS_HOST).toBe('127.0.0.1')
    expect(parse({ METRICS_HOST: '10.0.0.7' }).METRICS_HOST).toBe('10.0.0.7')
  })
})
