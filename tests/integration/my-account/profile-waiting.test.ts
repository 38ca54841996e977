import { createTranslator, NextIntlClientProvider } from 'next-intl'
import { type ComponentProps, createElement, type FunctionComponent } from 'react'
import { prerender } from 'react-dom/static'
import { describe, expect, test, vi } from 'vitest'
import { WaitingItems } from '@/app/platform/(profile)/profile/_ui/waiting'
import { getMenu } from '@/lib/applications/menu/service'
import { loadMessages } from '@/lib/base/i18n/messages'
import { refuseAccess } from '@/lib/companies/access-requests/contract'
import { declineOwnInvitation } from '@/lib/joining/received-invitations/contract'
import { asked, newInn, requester } from '../../factories/access-requests'
import { Caller } from '../../factories/caller'
import { newEmail } from '../../factories/companies'
import { signedIn } from '../../factories/invitation-calls'
import { invite } from '../../factories/invitations'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

vi.mock('next-intl/server', () => ({
  getTranslations: async (namespace: string) =>
    createTranslator({ locale: 'ru', messages: await loadMessages('ru'), namespace } as never),
}))

/** What the person's profile says of what waits: each line with where it leads. */
async function waiting(caller: Caller) {
  const messages = await loadMessages('ru')
  return caller.serve(async (ctx) => {
    if (!ctx.user) throw new Error('nobody is signed in')
    const part = createElement(WaitingItems as unknown as FunctionComponent<ComponentProps<typeof WaitingItems>>, {
      ctx,
      user: ctx.user,
    })
    const intl = { locale: 'ru', messages, timeZone: 'Europe/Moscow' } as ComponentProps<typeof NextIntlClientProvider>
    const { prelude } = await prerender(createElement(NextIntlClientProvider, intl, part))
    const html = (await new Response(prelude).text()).replaceAll('\u00a0', ' ')
    return html
      .split('<li>')
      .slice(1)
      .map((line) => ({
        href: /href="([^"]*)"/.exec(line)?.[1],
        text: line.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' '),
      }))
  })
}

const badge = (caller: Caller, page: string) =>
  caller.serve(async (ctx) => {
    const { menu } = await getMenu(ctx)
    return menu.flatMap(({ children, ...entry }) => [entry, ...children]).find(({ name }) => name === page)?.badge
  })

describe('the first page of the profile', () => {
  test('says nothing where nothing waits', async () => {
    const { browser } = await signedIn({ email: newEmail(), emailVerifiedAt: new Date() })
    expect(await waiting(new Caller(browser))).toEqual([])
  })

  test('names the person’s own requests, three of them, and counts the others', async () => {
    const { caller } = await requester(newInn(), newInn(), newInn(), newInn(), newInn())
    const lines = await waiting(caller)
    expect(lines.map(({ href }) => href)).toEqual(Array(4).fill('/platform/profile/requests/access'))
    expect(lines[0]?.text).toContain('Ваш запрос доступа: Компания')
    expect(lines[3]?.text).toContain('Ещё 2 ваших запроса')
    // they wait for somebody else
    expect(await badge(caller, 'UserProfileAccessRequests')).toBeNull()
  })

  test('says to a manager how many requests wait for them, until they are decided', async () => {
    const { caller, inn, from } = await asked()
    await requester(inn)
    await expect
      .poll(async () => (await waiting(caller)).map(({ text }) => text))
      .toEqual([expect.stringContaining('2 запроса доступа ждут вашего решения')])
    expect((await waiting(caller))[0]?.href).toBe('/platform/profile/requests/access?tab=incoming')
    await caller.call(refuseAccess, { body: { requestIds: [from.requestId], reason: 'нет' } })
    await expect.poll(async () => (await waiting(caller))[0]?.text).toContain('1 запрос доступа ждёт')
  })

  test('names invitations to the proven e-mail, and so does the number in the menu, until they are answered', async () => {
    const email = newEmail()
    const { browser } = await signedIn({ email, emailVerifiedAt: new Date() })
    const stranger = await signedIn({ email: newEmail() })
    const caller = new Caller(browser)
    const { id, contractor } = await invite({ email })
    await invite({ email: stranger.user.email })
    const [line, ...more] = await waiting(caller)
    expect(more).toEqual([])
    expect(line).toMatchObject({ href: '/platform/profile/requests/invitations' })
    expect(line?.text).toContain(`Приглашение в компанию ${contractor.name.replaceAll('"', '&quot;')}`)
    expect(await badge(caller, 'UserProfileInvitationsRequests')).toBe(1)
    // an e-mail that nobody has proven is nobody's
    expect(await badge(new Caller(stranger.browser), 'UserProfileInvitationsRequests')).toBeNull()
    expect(await waiting(new Caller(stranger.browser))).toEqual([])
    await caller.call(declineOwnInvitation, { params: { id } })
    await expect.poll(() => badge(caller, 'UserProfileInvitationsRequests')).toBeNull()
    expect(await waiting(caller)).toEqual([])
  })
})
