import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { eq } from 'drizzle-orm'
import { freePort } from '@/bin/embedded/process'
import { db } from '@/db/client'
import { applications, oidcClients, oidcLogouts } from '@/db/schema'
import { invalidate } from '@/lib/base/cache/cache'
import { randomToken } from '@/lib/base/crypto/encryption'
import { encryptSecret } from '@/lib/openid/clients/service'
import type { DemoApplication } from '../factories/demo'
import { expect } from './fixtures'

/** The callback address of each example in docs/examples, and whether it has a secret. */
const examples = {
  'next-auth': { script: 'docs/examples/next-auth/server.ts', callback: '/api/auth/callback/platform', secret: true },
  'openid-client': { script: 'docs/examples/openid-client.ts', callback: '/callback', secret: false },
}

type Wishes = {
  /** Whether it gets back-channel notices of ended sessions; otherwise it notices only at a failed refresh. */
  hears?: boolean
}

/**
 * Runs an example of docs in its own process, with a client of a demo application. Its access tokens are valid for a
 * second, so each of its pages renews them.
 */
export async function startRelyingParty(
  example: keyof typeof examples,
  application: DemoApplication,
  { hears = true }: Wishes = {},
) {
  const { script, callback, secret } = examples[example]
  const [applicationRow] = await db().select().from(applications).where(eq(applications.code, application))
  if (!applicationRow) throw new Error(`there is no application ${application}`)
  const [clientId, value] = [`${application}-${randomUUID()}`, randomToken()]
  const origin = `http://localhost:${await freePort()}`
  await db()
    .insert(oidcClients)
    .values({
      applicationId: applicationRow.id,
      clientId,
      name: example,
      type: secret ? 'confidential' : 'public',
      authMethod: secret ? 'client_secret_basic' : 'none',
      secrets: secret ? [{ sealed: encryptSecret(value, clientId), expiresAt: null }] : [],
      redirectUris: [`${origin}${callback}`],
      postLogoutRedirectUris: [`${origin}/`],
      backchannelLogoutUri: hears ? `${origin}/backchannel-logout` : null,
      grantTypes: ['authorization_code', 'refresh_token'],
      accessTokenLifespan: 1,
    })
  await invalidate(db(), 'oidc-clients')

  const env = {
    ...process.env,
    ISSUER: `${process.env.PUBLIC_URL}/oidc`,
    CLIENT_ID: clientId,
    CLIENT_SECRET: secret ? value : '',
    ORIGIN: origin,
    NEXTAUTH_URL: origin,
    NEXTAUTH_SECRET: randomToken(),
  }
  const child: ChildProcessByStdio<null, null, Readable> = spawn(process.execPath, [script], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  const answers = () =>
    fetch(origin).then(
      ({ status }) => status,
      () => output,
    )
  await expect.poll(answers, { timeout: 30_000 }).toBe(200)
  return { origin, clientId, stop: () => child.kill() }
}

/** Returns the statuses of a client's back-channel logouts. */
export const logoutsOf = (clientId: string) => () =>
  db()
    .select({ status: oidcLogouts.status })
    .from(oidcLogouts)
    .where(eq(oidcLogouts.clientId, clientId))
    .then((rows) => rows.map(({ status }) => status))
