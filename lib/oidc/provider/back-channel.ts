import { tryLogout } from '@/lib/oidc/logout/service'
import { oidcProvider } from './service'

/** Tells an application that somebody's session is over; a failure comes again, the last one is kept. */
export const deliverLogout = (id: string, options: { lastTry: boolean }): Promise<void> =>
  tryLogout(id, options, async ({ clientId, accountId, sid }) => {
    const { sendLogout } = await oidcProvider()
    await sendLogout(clientId, accountId, sid)
  })
