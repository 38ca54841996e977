import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { handleOidc } from '@/bin/server/oidc'
import { env } from '@/lib/base/runtime/env'
import { Browser } from '../../factories/browser'
import { drawView } from '../../factories/draw-view'
import { createClient, redirectUri, startProvider } from '../../factories/oidc'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const origin = 'https://id.example'
let before: string
let base: string
const server = createServer((req, res) => {
  // as bin/server/serve.ts sets it, whatever the proxy in front sends
  req.headers['x-platform-ip'] = '203.0.113.9'
  req.headers['x-forwarded-proto'] = 'https'
  handleOidc(req, res, drawView).catch(() => res.writeHead(500).end())
})
beforeAll(async () => {
  before = env().PUBLIC_URL
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  env().PUBLIC_URL = before
  server.close()
})

test('behind a proxy with https, addresses are https and cookies are bound to it', async () => {
  const running = await startProvider()
  const { clientId } = await createClient(running)
  await running.stop()
  env().PUBLIC_URL = origin
  const user = await createUser()

  const metadata = await (await fetch(`${base}/oidc/.well-known/openid-configuration`)).json()
  expect(metadata.issuer).toBe(`${origin}/oidc`)
  for (const [name, value] of Object.entries(metadata))
    if (/_(endpoint|uri)$/.test(name)) expect(value, name).toMatch(/^https:\/\/id\.example\/oidc\//)

  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  })
  const jar = new Map<string, string>()
  const seen: string[] = []
  const ask = async (address: string) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const url = new URL(address, base)
    const answer = await fetch(`${base}${url.pathname}${url.search}`, { redirect: 'manual', headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) {
      seen.push(line)
      const [pair = ''] = line.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    return answer.headers.get('location') ?? ''
  }
  const interaction = await ask(`/oidc/auth?${query}`)
  const page = await ask(interaction)
  expect(page).toContain('/platform/login')
  const browser = new Browser('id.example')
  await signInByPassword(browser, user.login, password)
  for (const [name, value] of browser.cookies) jar.set(name, value)
  const resume = await ask(interaction)
  expect(resume).toContain(`${origin}/oidc/auth/`)
  expect(await ask(resume)).toContain(`${redirectUri}?code=`)
  const names = new Set(seen.map((line) => line.split('=', 1)[0]))
  for (const name of ['session', 'interaction', 'resume']) expect(names).toContain(`__Secure-oidc_${name}`)
  for (const line of seen.filter((one) => one.includes('oidc_'))) {
    expect(line).toMatch(/^__Secure-oidc_/)
    expect(line.toLowerCase()).toMatch(/; secure/)
    expect(line.toLowerCase()).toMatch(/; httponly/)
    expect(line.toLowerCase()).toMatch(/; samesite=lax/)
  }
})
