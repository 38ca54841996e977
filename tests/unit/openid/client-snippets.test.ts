import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { snippetsOf } from '@/lib/openid/clients/snippets'

const client = {
  issuer: 'https://id.example/oidc',
  clientId: 'warehouse-portal',
  redirect: 'https://app.example/callback',
  authMethod: 'client_secret_basic' as const,
  grantTypes: ['authorization_code', 'refresh_token'],
}

describe('snippets of a client', () => {
  test('there are four, each with this client’s own values, and none has a secret', () => {
    const all = snippetsOf(client)
    expect(all.map(({ id }) => id)).toEqual(['openid-client', 'next-auth', 'authlib', 'spring'])
    for (const { code } of all) {
      expect(code).toContain('warehouse-portal')
      expect(code).toContain('https://id.example/oidc')
      expect(code).toContain('CLIENT_SECRET')
    }
    expect(all.filter(({ code }) => code.includes('https://app.example/callback'))).toHaveLength(3)
    expect(all[1]?.code).toContain('https://app.example/api/auth/callback/platform')
  })

  test('an address with quotes stays a text: whoever copies the example runs nothing else', () => {
    const redirect = `https://app.example/cb?x='+process.exit()+'";import_os;"`
    const [node, , python] = snippetsOf({ ...client, redirect })
    const single = /redirect_uri: ('(?:[^'\\]|\\.)*'),\n/.exec(node?.code ?? '')?.[1]
    const double = /authorize_redirect\(("(?:[^"\\]|\\.)*")\)\n/.exec(python?.code ?? '')?.[1]
    expect(runInNewContext(single ?? '')).toBe(redirect)
    expect(runInNewContext(double ?? '')).toBe(redirect)
  })

  test('a client without authentication gets none that asks for a secret', () => {
    for (const { code } of snippetsOf({ ...client, authMethod: 'none' })) expect(code).not.toContain('SECRET')
  })

  test('a client for programs alone asks for a token of its own, and leads no browser anywhere', () => {
    for (const { code } of snippetsOf({ ...client, grantTypes: ['client_credentials'], redirect: undefined })) {
      expect(code).toMatch(/client_?credentials/i)
      expect(code).not.toContain('redirect')
    }
  })
})
