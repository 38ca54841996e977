import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { env } from '@/lib/base/runtime/env'
import type { Browser } from '../factories/browser'
import { createClient, redirectUri, startProvider, visit } from '../factories/oidc'
import { signedIn } from '../factories/oidc-flows'
import { useTestDatabase } from '../setup/database'

// libraries of other languages, with their defaults; they aren't part of `npm test`, and docs/howto/change-the-openid-provider.md tells how to
// run them
useTestDatabase()

const secret = 'a secret of forty-three characters or thereabouts'

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
  // the issuer is the address where it listens, because these clients look it up themselves
  Object.assign(env(), { PUBLIC_URL: new URL(running.at('/')).origin })
})
afterAll(() => running.stop())

/** Returns where an authorization request of a signed-in person ends. */
async function codeFor(browser: Browser, start: string) {
  let address = new URL(start)
  for (let steps = 0; steps < 12; steps++) {
    const location = (await visit(running, browser, address)).headers.get('location')
    if (!location) throw new Error(`no way on from ${address}`)
    address = new URL(location, address)
    if (address.href.startsWith(redirectUri)) return address.href
  }
  throw new Error('no end of redirects')
}

/** Runs a client that prints where to sign in, reads the answer's address, and prints what it learned. */
async function run(command: string, args: string[]) {
  const { clientId } = await createClient(running, { secret, pkceRequired: false })
  const { browser, user } = await signedIn()
  const child = spawn(command, args, {
    env: {
      ...process.env,
      ISSUER: running.at('/oidc'),
      CLIENT_ID: clientId,
      CLIENT_SECRET: secret,
      REDIRECT_URI: redirectUri,
      // a library that requires https is configured for http here
      AUTHLIB_INSECURE_TRANSPORT: '1',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const next = async (): Promise<string> => (await lines.next()).value ?? ''
  const failed = ended.then((code) => Promise.reject(new Error(`ended with ${code}`)))
  const start = await Promise.race([next(), failed])
  failed.catch(() => {})
  child.stdin.end(`${await codeFor(browser, start)}\n`)
  const said = await next()
  expect(await ended).toBe(0)
  return { user, said: JSON.parse(said) }
}

/** Returns the program that an environment variable names; people who run these tests must set it. */
function program(name: string): string {
  const path = process.env[name]
  if (!path) throw new Error(`${name} must name the program`)
  return path
}

test('Authlib: a code without PKCE, six renewals at once, introspection, revocation', async () => {
  const { user, said } = await run(program('FOREIGN_PYTHON'), ['tests/foreign/authlib_client.py'])
  expect(said).toEqual({
    sub: user.id,
    sid: expect.stringMatching(/^[\w-]{20,}$/),
    userinfo: user.id,
    renewed: true,
    active: true,
    revoked: 200,
    after: false,
  })
})

test('go-oidc: a code without PKCE, userinfo, six renewals at once', async () => {
  const { user, said } = await run(program('FOREIGN_GO'), ['run', '-C', 'tests/foreign/go-oidc', '.'])
  expect(said).toEqual({
    sub: user.id,
    sid: expect.stringMatching(/^[\w-]{20,}$/),
    userinfo: user.id,
    renewed: true,
  })
})
