import { eq } from 'drizzle-orm'
import * as client from 'openid-client'
import { expect } from 'vitest'
import { db } from '@/db/client'
import { authenticationSchemas } from '@/db/schema'
import { dropCached, invalidate } from '@/lib/base/cache/cache'
import type { Browser } from './browser'
import { follow, redirectUri, request, type startProvider } from './oidc'

type Running = Awaited<ReturnType<typeof startProvider>>

let made = 0

/** Creates an active schema that applies to nobody by default; an application can only request it. Returns its code. */
export async function createSchema(firstFactor: string[], secondFactor: string[] = [], code = `wanted-${++made}`) {
  await db().insert(authenticationSchemas).values({ code, name: code, priority: 1000, firstFactor, secondFactor })
  dropCached('authentication-schemas')
  return code
}

/** Changes schemas as an administrator does; every process reloads them. */
export async function changeSchema(
  code: string,
  values: { firstFactor?: string[]; secondFactor?: string[]; active?: boolean },
) {
  await db().transaction(async (tx) => {
    await tx.update(authenticationSchemas).set(values).where(eq(authenticationSchemas.code, code))
    await invalidate(tx, 'authentication-schemas')
  })
  dropCached('authentication-schemas')
}

/**
 * Opens the sign-in pages for an authorization request. Returns the address to return to and the proof of the request.
 */
export async function sentToSignIn(
  running: Running,
  browser: Browser,
  config: client.Configuration,
  params: Record<string, string>,
) {
  const { url, verifier } = await request(config, params)
  const { url: page, body } = await follow(running, browser, url)
  expect(page.pathname, `${page} ${body}`).toBe('/platform/login')
  return { path: page.searchParams.get('path') ?? '', verifier }
}

/** Returns to the application the same way and returns its tokens. */
export async function tokensAfter(
  running: Running,
  browser: Browser,
  config: client.Configuration,
  { path, verifier }: { path: string; verifier: string },
) {
  const { url: end, body } = await follow(running, browser, path)
  expect(end.href, body).toContain(redirectUri)
  return client.authorizationCodeGrant(config, end, { pkceCodeVerifier: verifier, expectedState: 'state' })
}
