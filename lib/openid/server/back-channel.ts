import { tryLogout } from '../logout/service'
import { oidcProvider } from './service'

/** Notifies an application that a session has ended. A failure is tried again; that of the last attempt is stored. */
export const sendLogoutNotice = (id: string, options: { lastTry: boolean }): Promise<void> =>
  tryLogout(id, options, async ({ clientId, accountId, sid }) => {
    const { sendLogout } = await oidcProvider()
    await sendLogout(clientId, accountId, sid)
  })
