import { randomUUID } from 'node:crypto'
import { asOwn } from '../signed-in'
import type { Visit } from './row'

/**
 * Adds an OpenID provider as an administrator does, until the visit is over. With `offered` it is on, and every sign-in
 * page offers it. Returns its id.
 */
export async function addProvider({ browser, baseURL, later }: Visit, { offered }: { offered: boolean }) {
  const context = await browser.newContext({ baseURL })
  await asOwn(context, 'administrator')
  const setting = '/api/v1/platform/setting'
  const headers = { origin: baseURL }
  const { domains } = await (await context.request.get(`${setting}/domains`)).json()
  const data = {
    ...{ type: 'oidc', name: `Вход партнёра ${randomUUID().slice(0, 4)}`, url: 'https://id.partner.example' },
    ...{ clientId: 'portal', clientSecret: 'partner-secret', scopes: ['profile', 'email'] },
    domains: offered ? domains.map(({ id }: { id: string }) => id) : [],
  }
  const { id } = await (await context.request.post(`${setting}/providers`, { data, headers })).json()
  if (offered) await context.request.put(`${setting}/providers/${id}/enabled`, { data: { enabled: true }, headers })
  later(async () => {
    await context.request.delete(`${setting}/providers/${id}`, { headers })
    await context.close()
  })
  return id as string
}
