import type { Ctx } from '@/lib/base/context/ctx'
import { createInvitation, type NewInvitation } from '@/lib/joining/invitations/manage'
import { buildContext } from '@/lib/request/build'
import { cookieJar } from '@/lib/request/cookies'
import { Browser } from './browser'
import { type Company, createContractor, createContractorRole, join, newEmail } from './companies'
import { lastMessageTo } from './messages'
import { startSessionOf } from './sign-in'
import { createUser } from './users'

/** The context that a verb gets from this browser's request. */
export async function contextOf(browser: Browser): Promise<Ctx> {
  const { host, cookie, ip } = browser
  return (await buildContext(new Headers({ host, cookie, 'x-platform-ip': ip }), cookieJar(cookie).cookies)).ctx
}

/** A signed-in contractor manager of a company, with the context of their requests. */
export async function createMaster(company: Company, methodCodes: string[] = []) {
  const user = await createUser({ firstName: 'Юрий', lastName: 'Северный', fio: 'Северный Юрий Львович' })
  await join(company, user.id, [(await createContractorRole(['masterAccountAccess', ...methodCodes])).id])
  const browser = new Browser()
  await startSessionOf(browser, user.id)
  return { user, browser, ctx: await contextOf(browser) }
}

/** Returns the GUID in the link of the newest mail to an e-mail. */
export async function linkSentTo(email: string): Promise<string> {
  const message = await lastMessageTo(email)
  const guid = /\/platform\/invitation\/([0-9a-f-]{36})/.exec(message?.content.text ?? '')?.[1]
  if (!guid) throw new Error(`no invitation was sent to ${email}`)
  return guid
}

/** A company whose master has invited somebody, and the GUID of the link. */
export async function invite(wishes: Partial<NewInvitation> = {}) {
  const company = await createContractor()
  const [master, role] = [await createMaster(company), await createContractorRole()]
  const email = wishes.email ?? newEmail()
  const { id } = await createInvitation(master.ctx, {
    contractorId: company.contractor.id,
    access: [{ organizationId: company.organization.id, roles: [role.id] }],
    ...wishes,
    email,
  })
  return { ...company, master, role, email, id, guid: await linkSentTo(email) }
}
