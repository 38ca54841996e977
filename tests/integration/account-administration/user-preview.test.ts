import { expect, test } from 'vitest'
import { readUserPreview } from '@/lib/account-administration/user-preview/contract'
import { menuPages, userServices } from '@/lib/applications/menu/service'
import { createRoleWith } from '../../factories/access'
import { Browser } from '../../factories/browser'
import { createContractor, createContractorRole, join, openService } from '../../factories/companies'
import { contextOf } from '../../factories/invitations'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { signedInAdministrator } from '../../factories/roles'
import { begin, prove } from '../../factories/sign-in'
import { createRole, createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const below = caseNumbers(17)
const pool = ['users.read', 'users.write', 'license.write', 'history.read', 'roles.read', 'applications.read'] as const
const some = () => [...new Set(Array.from({ length: below(4) }, () => pool[below(pool.length)] as string))]

test('what is shown as somebody’s is what they get when they sign in themselves', async () => {
  const { caller } = await signedInAdministrator()
  const seen = { services: 0, second: 0, menus: 0 }
  for (const _ of eachRound(30, () => Math.min(...Object.values(seen)) > 0)) {
    const roles = [await createRoleWith(some())]
    if (below(2) === 0)
      roles.push(
        await createRole({
          firstFactor: ['credentials', 'email_code'],
          ...(below(2) ? { secondFactor: ['sms_code'] } : {}),
        }),
      )
    const person = await createUser({ roles, ...(below(3) === 0 ? { mobile: null } : {}) })
    if (below(2) === 0) {
      const [company, role] = [await createContractor(), await createContractorRole([])]
      await openService(role.id)
      await join(company, person.id, [role.id])
    }
    const preview = await caller.call(readUserPreview, { params: { id: person.id } })

    const browser = new Browser()
    const begun = await begin(browser, person.login)
    expect(preview.signIn.first.map(({ id }) => id)).toEqual((begun.body as { flows: string[] }).flows)
    const first = await prove(browser, person.login, { password })
    const { flows = [] } = first.body as { next: string; flows?: string[] }
    expect(preview.signIn.second.find(({ after }) => after === 'credentials')?.flows ?? []).toEqual(flows)
    if (flows.length > 0) seen.second++
    if ((first.body as { next: string }).next !== 'done') continue

    const { user, domain } = await contextOf(browser)
    if (!user) throw new Error('nobody is signed in')
    const platform = preview.methods.filter(({ application }) => application === null)
    expect(platform.map(({ code }) => code).sort()).toEqual([...user.methods].sort())
    const menus = (await menuPages(user.methods)).map(({ group, screens }) => [group, screens.map(({ name }) => name)])
    expect(preview.menus.map(({ group, screens }) => [group, screens])).toEqual(menus)
    const services = (await userServices(user, domain)).map(({ id }) => id)
    expect(preview.services.map(({ id }) => id)).toEqual(services)
    seen.services += services.length
    seen.menus += menus.length
  }
  for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(0)
}, 60_000)
