import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { oidcLogouts, oidcRecords, sessions, users } from '@/db/schema'
import { endOpenIdSession, queueLogout } from '@/lib/openid/logout/service'
import { sendLogoutNotice } from '@/lib/openid/server/back-channel'
import ru from '@/messages/ru/oidc.json'
import { createClient, follow, issuer, startProvider, visit } from '../../factories/oidc'
import { refused, signedIn, tokensFor } from '../../factories/oidc-flows'
import { signOut } from '../../factories/sign-in'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

describe('the end of a session', () => {
  const listening = { backchannelLogoutUri: 'https://app.example/logout' }

  const isOver = async (config: client.Configuration, tokens: client.TokenEndpointResponse, userId: string) => {
    expect(await refused(client.fetchUserInfo(config, tokens.access_token, userId))).not.toBe('allowed')
    expect(await refused(client.refreshTokenGrant(config, tokens.refresh_token ?? ''))).toBe('invalid_grant')
  }

  test('signing out ends the applications’ tokens at once and queues their notices', async () => {
    const { config, clientId } = await createClient(running, listening)
    const { browser, user } = await signedIn()
    const tokens = await tokensFor(running, browser, config)
    const [row] = await db().select().from(sessions).where(eq(sessions.userId, user.id))
    await signOut(browser)
    await isOver(config, tokens, user.id)
    await endOpenIdSession(row?.oidcUid ?? '')
    await endOpenIdSession(row?.oidcUid ?? '')
    const logouts = await db().select().from(oidcLogouts).where(eq(oidcLogouts.clientId, clientId))
    expect(logouts).toMatchObject([{ accountId: user.id, status: 'queued', sid: tokens.claims()?.sid }])
    expect(
      await db()
        .select()
        .from(oidcRecords)
        .where(eq(oidcRecords.sessionUid, row?.oidcUid ?? '')),
    ).toEqual([])
  })

  test('an application gets a signed token; a failed notice is repeated, and the last failure is stored', async () => {
    const heard: string[] = []
    let status = 500
    const listener = createServer((req, res) => {
      req.on('data', (chunk) => heard.push(String(chunk)))
      req.on('end', () => res.writeHead(status).end())
    })
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    const { port } = listener.address() as AddressInfo
    const { clientId } = await createClient(running, { backchannelLogoutUri: `http://127.0.0.1:${port}/logout` })
    const queue = async (sid: string) => {
      await queueLogout(db(), { clientId, accountId: 'somebody', sid })
      const [row] = await db().select().from(oidcLogouts).where(eq(oidcLogouts.sid, sid))
      return row?.id ?? ''
    }
    const outcome = async (id: string) => (await db().select().from(oidcLogouts).where(eq(oidcLogouts.id, id)))[0]
    const [first, second] = [await queue('first'), await queue('second')]
    await expect(sendLogoutNotice(first, { lastTry: false })).rejects.toThrow('500')
    expect(await outcome(first)).toMatchObject({ status: 'queued', attempts: 1 })
    await expect(sendLogoutNotice(second, { lastTry: true })).rejects.toThrow('500')
    expect(await outcome(second)).toMatchObject({ status: 'failed', error: expect.stringContaining('500') })
    status = 204
    await sendLogoutNotice(first, { lastTry: false })
    await sendLogoutNotice(first, { lastTry: false })
    expect(await outcome(first)).toMatchObject({ status: 'sent', attempts: 2, error: null })
    expect(heard).toHaveLength(3)
    const [, claims = ''] = (new URLSearchParams(heard[2]).get('logout_token') ?? '').split('.')
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      iss: issuer,
      aud: clientId,
      sub: 'somebody',
      sid: 'first',
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })
    listener.close()
  })

  test('a disabled user is refused at once', async () => {
    const { config } = await createClient(running)
    const { browser, user } = await signedIn()
    const tokens = await tokensFor(running, browser, config)
    await db().update(users).set({ enabled: false }).where(eq(users.id, user.id))
    await isOver(config, tokens, user.id)
  })

  test('signing out at an application asks, and ends everything', async () => {
    const bye = 'https://app.example/bye'
    const { config, clientId } = await createClient(running, { ...listening, postLogoutRedirectUris: [bye] })
    const { browser, user } = await signedIn()
    const tokens = await tokensFor(running, browser, config)
    const url = client.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: bye,
    })
    const { status, body } = await follow(running, browser, url)
    expect(status).toBe(200)
    expect(body).toContain(ru.oidc.logout.text)
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(body)?.[1] ?? ''
    expect(await client.fetchUserInfo(config, tokens.access_token, user.id)).toMatchObject({ sub: user.id })
    const answer = await visit(running, browser, '/oidc/session/end/confirm', {
      method: 'POST',
      body: new URLSearchParams({ xsrf, logout: 'yes' }),
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, bye])
    await isOver(config, tokens, user.id)
    const [row] = await db().select().from(sessions).where(eq(sessions.userId, user.id))
    expect(row?.endReason).toBe('signedOut')
    expect(await db().select().from(oidcLogouts).where(eq(oidcLogouts.clientId, clientId))).toHaveLength(1)
  })
})
