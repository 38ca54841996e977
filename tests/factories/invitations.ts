import { inArray } from 'drizzle-orm'
import { db } from '@/db/client'
import {
  contractorOrganizations,
  contractors,
  methods,
  organizations,
  roleMethods,
  roles,
  userContractorRoles,
  userContractors,
} from '@/db/schema'
import { buildContext } from '@/lib/context/build'
import { cookieJar } from '@/lib/context/cookies'
import { createInvitation, type NewInvitation } from '@/lib/entry/invitations/manage'
import type { Ctx } from '@/lib/kernel/ctx'
import { Browser } from './browser'
import { lastMessageTo } from './messages'
import { first } from './platform'
import { signInByPassword } from './sign-in'
import { createUser, password } from './users'

let made = Math.floor(Math.random() * 1_000_000)

/** The context that a verb would get from this browser's request. */
export async function contextOf(browser: Browser): Promise<Ctx> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = new Headers({ host: browser.host, cookie, 'x-platform-ip': browser.ip })
  return (await buildContext(headers, cookieJar(cookie).cookies)).ctx
}

/** A contractor role that carries these systemic methods. */
export async function createContractorRole(codes: string[] = [], roleType: 'contractor' | 'systemic' = 'contractor') {
  made++
  const role = first(
    await db()
      .insert(roles)
      .values({ name: `Роль ${made}`, nameEn: `Role ${made}`, roleType })
      .returning(),
  )
  const carried = codes.length > 0 ? await db().select().from(methods).where(inArray(methods.code, codes)) : []
  if (carried.length > 0)
    await db()
      .insert(roleMethods)
      .values(carried.map(({ id }) => ({ roleId: role.id, methodId: id })))
  return role
}

/** A contractor with so many organizations available to it. */
export async function createContractor(organizationCount = 1) {
  made++
  const contractor = first(
    await db()
      .insert(contractors)
      .values({ name: `ООО «Компания ${made}»`, inn: `77${String(made).padStart(8, '0')}` })
      .returning(),
  )
  const available = await db()
    .insert(organizations)
    .values(
      Array.from({ length: organizationCount }, (_, at) => ({
        name: `АО «Организация ${made}.${at}»`,
        nameEn: `Organization ${made}.${at}`,
      })),
    )
    .returning()
  await db()
    .insert(contractorOrganizations)
    .values(available.map(({ id }) => ({ contractorId: contractor.id, organizationId: id })))
  return { contractor, organizations: available, organization: first(available) }
}
export type Company = Awaited<ReturnType<typeof createContractor>>

/** Puts a user into a company with these roles in its first organization. */
export async function join({ contractor, organization }: Company, userId: string, roleIds: string[]) {
  await db().insert(userContractors).values({ userId, contractorId: contractor.id })
  if (roleIds.length > 0)
    await db()
      .insert(userContractorRoles)
      .values(
        roleIds.map((roleId) => ({ userId, contractorId: contractor.id, organizationId: organization.id, roleId })),
      )
}

/** A contractor manager of a company, signed in, with the context of their requests. */
export async function createMaster(company: Company, methodCodes: string[] = []) {
  const user = await createUser({ firstName: 'Юрий', lastName: 'Северный', fio: 'Северный Юрий Львович' })
  await join(company, user.id, [(await createContractorRole(['masterAccountAccess', ...methodCodes])).id])
  const browser = new Browser()
  const { status } = await signInByPassword(browser, user.login, password)
  if (status !== 200) throw new Error(`${user.login} could not sign in: ${status}`)
  return { user, browser, ctx: await contextOf(browser) }
}

/** The GUID in the link of the newest mail to an e-mail. */
export async function linkSentTo(email: string): Promise<string> {
  const message = await lastMessageTo(email)
  const guid = /\/platform\/invitation\/([0-9a-f-]{36})/.exec(message?.content.text ?? '')?.[1]
  if (!guid) throw new Error(`no invitation was sent to ${email}`)
  return guid
}

export const newEmail = () => `invited.${++made}@polaris.example`

/** A company whose master has invited somebody, with the link's GUID. */
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
