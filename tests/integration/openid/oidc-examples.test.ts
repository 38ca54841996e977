import { afterAll, beforeAll, expect, test } from 'vitest'
import { needed } from '@/docs/examples/needed'
import { startProvider } from '../../factories/oidc'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

test('an example rejects a missing required value, whatever is in its place', () => {
  for (const missing of [undefined, null, '', 0, {}, ['sid'], Number.NaN])
    expect(() => needed(missing, 'sid')).toThrow('sid is missing')
  expect(needed('a', 'sid')).toBe('a')
})

test('the example with next-auth stores no session without an id, so that nobody gets another’s', async () => {
  Object.assign(process.env, { ISSUER: running.at('/oidc'), NEXTAUTH_SECRET: 'a secret' })
  const { authOptions, endSession, liveSession } = await import('@/docs/examples/next-auth/options')
  const jwt = authOptions.callbacks?.jwt as unknown as (given: object) => Promise<{ sid?: string }>
  const tokens = { access_token: 'a', refresh_token: 'r', id_token: 'i', expires_at: Date.now() / 1000 + 600 }
  const enter = (profile: object | undefined, account: object = tokens) => jwt({ token: {}, account, profile })

  for (const profile of [undefined, {}, { sub: 'anna' }, { sid: '' }, { sid: null }, { sid: 7 }])
    await expect(enter(profile)).rejects.toThrow('sid is missing')
  for (const name of ['undefined', 'null', '', '7']) expect(await liveSession(name)).toBeUndefined()
  for (const name of ['access_token', 'refresh_token', 'id_token'])
    await expect(enter({ sid: 'one' }, { ...tokens, [name]: undefined })).rejects.toThrow(`${name} is missing`)
  expect(await liveSession('one')).toBeUndefined()

  const [anna, boris] = [await enter({ sid: 'anna' }), await enter({ sid: 'boris' }, { ...tokens, access_token: 'b' })]
  expect(await liveSession(anna.sid ?? '')).toMatchObject({ access_token: 'a' })
  expect(await liveSession(boris.sid ?? '')).toMatchObject({ access_token: 'b' })
  expect(await jwt({ token: anna })).toEqual(anna)
  endSession('anna')
  await expect(jwt({ token: anna })).rejects.toThrow('the session is over')
  await expect(jwt({ token: {} })).rejects.toThrow('sid is missing')
})
