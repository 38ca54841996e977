import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import * as client from 'openid-client'
import { db } from '@/db/client'
import { applications, oidcClients } from '@/db/schema'
import { invalidate } from '@/lib/base/cache/cache'
import type { DemoApplication } from '../factories/demo'
import { expect } from './fixtures'

const showPage: RequestListener = (req, res) => {
  res.writeHead(200, { 'content-type': 'text/html' })
  res.end(`<!doctype html><title>App</title><link rel="icon" href="data:,"><h1>${req.url?.split('?')[0]}</h1>`)
}

/** A client of a demo application, which listens on this machine and shows the answer that it got. */
export async function startApplication(
  code: DemoApplication,
  baseURL = '',
  grantTypes = ['authorization_code', 'refresh_token'],
  answer = showPage,
) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://localhost:${(server.address() as AddressInfo).port}`
  const redirect_uri = `${address}/callback`
  const clientId = `${code}-${randomUUID()}`
  const [application] = await db().select().from(applications).where(eq(applications.code, code))
  if (!application) throw new Error(`there is no application ${code}`)
  await db()
    .insert(oidcClients)
    .values({
      applicationId: application.id,
      clientId,
      name: code,
      type: 'public',
      authMethod: 'none',
      redirectUris: [redirect_uri],
      postLogoutRedirectUris: [`${address}/bye`],
      grantTypes,
    })
  await invalidate(db(), 'oidc-clients')
  // the server reloads its clients after a moment
  const body = new URLSearchParams({ client_id: clientId, grant_type: 'refresh_token', refresh_token: 'none' })
  const answered = async () => (await (await fetch(`${baseURL}/oidc/token`, { method: 'POST', body })).json()).error
  await expect.poll(answered).toBe('invalid_grant')
  const config = await client.discovery(new URL(`${baseURL}/oidc`), clientId, undefined, client.None(), {
    execute: [client.allowInsecureRequests],
  })
  const authorization = async (more = {}) => {
    const verifier = client.randomPKCECodeVerifier()
    const { href } = client.buildAuthorizationUrl(config, {
      redirect_uri,
      scope: 'openid profile',
      state: 'state',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...more,
    })
    return { href, checks: { pkceCodeVerifier: verifier, expectedState: 'state' } }
  }
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { address, application, clientId, config, authorization, stop }
}
