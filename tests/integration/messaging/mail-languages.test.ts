import { desc, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { accessRequests, domains, messages, userSettings } from '@/db/schema'
import * as accountCalls from '@/lib/account-administration/accounts/contract'
import type { MailTemplate, SmsTemplate } from '@/lib/base/mail-and-sms/templates'
import * as requests from '@/lib/companies/access-requests/contract'
import { declineInvitation } from '@/lib/joining/invitations/contract'
import { acceptOwnInvitation, listOwnInvitations } from '@/lib/joining/received-invitations/contract'
import * as sent from '@/lib/joining/sent-invitations/contract'
import { mailSamples, smsSamples } from '@/lib/messaging/locale-texts/samples'
import { sendMail, sendMails, sendSms } from '@/lib/messaging/sender/service'
import * as passwordCalls from '@/lib/sign-in/passwords/contract'
import { signedInAsAdministrator } from '../../factories/access'
import { asked, idOf } from '../../factories/access-requests'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { createContractorRole, newEmail, openService } from '../../factories/companies'
import { createContext } from '../../factories/context'
import { signedIn } from '../../factories/invitation-calls'
import { linkSentTo } from '../../factories/invitations'
import { runJobs } from '../../factories/messages'
import { caseNumbers } from '../../factories/random-cases'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const below = caseNumbers(20610)
const one = <T>(list: readonly T[]): T => list[below(list.length)] as T
const languageOf = async (recipient: string) => {
  const [row] = await db()
    .select({ locale: messages.locale })
    .from(messages)
    .where(eq(messages.recipient, recipient))
    .orderBy(desc(messages.createdAt))
    .limit(1)
  return row?.locale
}

describe('the language of a message', () => {
  const mails = Object.keys(mailSamples('ru')) as MailTemplate[]
  const texts = Object.keys(smsSamples('ru')) as SmsTemplate[]
  const saved = [
    { lang: 'en', locale: 'ru', own: 'en' },
    { lang: null, locale: 'en', own: 'en' },
    { lang: null, locale: null, own: null },
    // a language that the domain doesn't have
    { lang: 'de', locale: null, own: null },
  ]

  test.each([...mails, ...texts.map((each) => `sms ${each}`)])(
    'of %s is the receiver’s, else the domain’s, whoever acts',
    async (kind) => {
      for (const { lang, locale, own } of [one(saved), one(saved.slice(2))]) {
        const account = await createUser({ locale })
        if (lang) await db().insert(userSettings).values({ userId: account.id, lang })
        const locales = one([
          ['ru', 'en'],
          ['en', 'ru'],
        ])
        const expected = own ?? locales[0]
        for (const actor of ['ru', 'en', 'de']) {
          const ctx = await createContext()
          const from = { ...ctx, locale: actor, domain: { ...ctx.domain, locales } }
          const [template, values] = [kind as MailTemplate, mailSamples('ru')[kind as MailTemplate]]
          await db().transaction(async (tx) => {
            if (kind.startsWith('sms ')) {
              const text = kind.slice(4) as SmsTemplate
              const sms = { template: text, values: smsSamples('ru')[text] }
              return void (await sendSms(tx, from, { ...sms, to: account.mobile, userId: account.id }))
            }
            const mail = { template, values, userId: account.id }
            await sendMail(tx, from, { ...mail, to: account.email })
            await sendMails(tx, from, [{ ...mail, to: `many.${account.email}` }])
          })
          const situation = `${kind} by ${actor} to ${lang} ${locale} of ${locales.join()}`
          if (kind.startsWith('sms ')) expect(await languageOf(account.mobile), situation).toBe(expected)
          else {
            expect(await languageOf(account.email), situation).toBe(expected)
            expect(await languageOf(`many.${account.email}`), situation).toBe(expected)
          }
        }
        // somebody without an account
        const stranger = newEmail()
        const ctx = await createContext()
        const from = { ...ctx, locale: 'en', domain: { ...ctx.domain, locales } }
        if (kind.startsWith('sms ')) continue
        const values = mailSamples('ru')[kind as MailTemplate]
        await db().transaction((tx) =>
          sendMail(tx, from, { template: kind as MailTemplate, values, to: stranger, userId: null }),
        )
        expect(await languageOf(stranger), `${kind} to a stranger`).toBe(locales[0])
      }
    },
  )
})

const speaking = (caller: Caller, locale: string) => {
  caller.browser.cookies.set('locale', locale)
  return caller
}

/** What somebody does that mails somebody else. Each returns the address to which it wrote. */
const acts: Record<string, (locale: string) => Promise<string>> = {
  'a new request': async (locale) => {
    const { caller, inn, from } = await asked()
    const { user, browser } = await signedIn()
    const companies = [{ name: 'Компания', inn, kpp: '770101001', roles: [] }]
    await speaking(new Caller(browser), locale).call(requests.createAccessRequests, { body: { companies } })
    expect([user.id, from.userId]).not.toContain(await idOf(caller))
    return caller.serve(async ({ user: manager }) => (await createdEmail(manager?.id ?? '')) ?? '')
  },
  ...Object.fromEntries(
    (
      [
        ['approval', requests.approveWithContractor, {}],
        ['a refusal', requests.refuseAccess, { reason: 'нет' }],
        ['a duplicate', requests.markDuplicate, {}],
      ] as const
    ).map(([name, contract, more]) => [
      name,
      async (locale: string) => {
        const { caller, from, company } = await asked()
        const contractorId = name === 'approval' ? { contractorId: company.contractor.id } : {}
        const body = { requestIds: [from.requestId], ...contractorId, ...more }
        await speaking(caller, locale).call(contract as typeof requests.markDuplicate, { body })
        return (await createdEmail(from.userId)) ?? ''
      },
    ]),
  ),
  'an invitation': async (locale) => {
    const { caller, company } = await asked()
    const email = newEmail()
    await speaking(caller, locale).call(sent.createInvitation, { body: { email, ...(await accessIn(company)) } })
    return email
  },
  'an invitation of somebody with an account': async (locale) => {
    const { caller, company } = await asked()
    const { email } = await createUser()
    await speaking(caller, locale).call(sent.createInvitation, { body: { email, ...(await accessIn(company)) } })
    return email
  },
  'a revoked invitation': async (locale) => {
    const { caller, company } = await asked()
    const email = newEmail()
    const { id } = await caller.call(sent.createInvitation, { body: { email, ...(await accessIn(company)) } })
    await speaking(caller, locale).call(sent.revokeInvitation, { params: { id } })
    return email
  },
  'an accepted invitation': async (locale) => {
    const { caller, company } = await asked()
    const { user, browser } = await signedIn({ emailVerifiedAt: new Date() })
    await caller.call(sent.createInvitation, { body: { email: user.email, ...(await accessIn(company)) } })
    const invited = speaking(new Caller(browser), locale)
    const [invitation] = (await invited.call(listOwnInvitations, { query: {} })).invitations
    await invited.call(acceptOwnInvitation, { params: { id: invitation?.id ?? '' }, body: {} })
    return (await createdEmail(await idOf(caller))) ?? ''
  },
  'a declined invitation': async (locale) => {
    const { caller, company } = await asked()
    const email = newEmail()
    await caller.call(sent.createInvitation, { body: { email, ...(await accessIn(company)) } })
    const id = await linkSentTo(email)
    await speaking(new Caller(new Browser()), locale).call(declineInvitation, { params: { id } })
    return (await createdEmail(await idOf(caller))) ?? ''
  },
  'a password that is reset': async (locale) => {
    const { id, email } = await createUser()
    await (await administrator(locale)).call(passwordCalls.resetUserPassword, { params: { id } })
    return email
  },
  'an account that is deleted': async (locale) => {
    const { id, email } = await createUser()
    await (await administrator(locale)).call(accountCalls.deleteUser, { params: { id } })
    return email
  },
  'a link of a first entry': async (locale) => {
    const { id, email } = await createUser({ passwordHash: null })
    await (await administrator(locale)).call(accountCalls.sendEntryLink, { params: { id } })
    return email
  },
  'a contact that is changed': async (locale) => {
    const { id, email } = await createUser()
    await (await administrator(locale)).call(accountCalls.updateUser, {
      params: { id },
      body: { values: { email: newEmail() } },
    } as never)
    return email
  },
}

const administrator = async (locale: string) => speaking(new Caller((await signedInAsAdministrator()).browser), locale)
async function createdEmail(id: string) {
  const { users: table } = await import('@/db/schema')
  const [row] = await db().select({ email: table.email }).from(table).where(eq(table.id, id))
  return row?.email
}
const accessIn = async ({ contractor, organization }: Awaited<ReturnType<typeof asked>>['company']) => ({
  contractorId: contractor.id,
  access: [{ organizationId: organization.id, roles: [(await createContractorRole()).id] }],
})

test.each(Object.keys(acts))(
  '%s is told in the domain’s language, in whichever language somebody acts',
  async (name) => {
    for (const locale of ['ru', 'en']) {
      const address = (await acts[name]?.(locale)) ?? ''
      await runJobs()
      expect(await languageOf(address), `by ${locale}`).toBe('ru')
    }
  },
)

test('the mail of an approval speaks of services only if some have opened, and is of the domain that was asked', async () => {
  const approved = async (opens: boolean) => {
    const { caller, company, from } = await asked()
    const role = await createContractorRole()
    if (opens) {
      await openService(role.id)
      // whoever gives it holds it
      const { makeManager, refreshed } = await import('../../factories/access-requests')
      const { roleMethods, methods } = await import('@/db/schema')
      const { and } = await import('drizzle-orm')
      const heldMethods = await db().select().from(roleMethods).where(eq(roleMethods.roleId, role.id))
      const managerRole = await makeManager(caller)
      for (const { methodId } of heldMethods)
        await db().insert(roleMethods).values({ roleId: managerRole.id, methodId })
      await refreshed(await idOf(caller))
      expect(await db().$count(methods, and(eq(methods.id, heldMethods[0]?.methodId ?? '')))).toBe(1)
    }
    const contractorRoles = [{ organizationId: company.organization.id, rolesIds: [role.id] }]
    const body = { requestIds: [from.requestId], contractorId: company.contractor.id, contractorRoles }
    const [base] = await db().select({ id: domains.id }).from(domains).where(eq(domains.base, true))
    expect(
      await db()
        .select({ id: accessRequests.domainId })
        .from(accessRequests)
        .where(eq(accessRequests.id, from.requestId)),
    ).toEqual([base])
    await caller.call(requests.approveWithContractor, { body })
    const { mailsTo } = await import('../../factories/access-requests')
    const [mail] = await mailsTo((await createdEmail(from.userId)) ?? '', 'accessApproved')
    return `${'subject' in (mail ?? {}) ? (mail as { subject: string }).subject : ''} ${mail?.text}`
  }
  const [with_, without] = [await approved(true), await approved(false)]
  expect(with_).toMatch(/Доступ открыт/)
  expect(with_).toMatch(/Новые сервисы уже открыты/)
  expect(without).toMatch(/Запрос доступа одобрен/)
  expect(without).not.toMatch(/открыт/i)
})
