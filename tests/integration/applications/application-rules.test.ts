import { randomUUID } from 'node:crypto'
import { eq, inArray, sql } from 'drizzle-orm'
import { NextIntlClientProvider } from 'next-intl'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { useApplicationActions } from '@/app/platform/(admin)/setting/applications/_ui/use-application-actions'
import { db } from '@/db/client'
import { applications, history, methods, roleMethods } from '@/db/schema'
import { outsideTransaction } from '@/db/scope'
import {
  applicationTypes,
  createApplication,
  enableApplication,
  showApplication,
  updateApplication,
  updateApplicationMethods,
} from '@/lib/applications/applications/contract'
import { serviceItems } from '@/lib/applications/menu/service'
import { loadMessages } from '@/lib/base/i18n/messages'
import { type ApplicationCard, deleteApplication, updateServiceMethods } from '@/lib/openid/applications/contract'
import * as clientCalls from '@/lib/openid/clients/contract'
import { createRoleWith, signedInWith } from '../../factories/access'
import { clientBody, readApplication } from '../../factories/administered-applications'
import { newApplication } from '../../factories/applications'
import { thirty } from '../../factories/at-once'
import { type AnyContract, Caller, type Input } from '../../factories/caller'
import { contextOf } from '../../factories/invitations'
import { caseNumbers, eachRound, shareOf } from '../../factories/random-cases'
import { useTestDatabase } from '../../setup/database'
import { somebodyWaits } from '../../setup/eventually'

useTestDatabase()

const writing = async () => new Caller((await signedInWith(['applications.read', 'applications.write'])).browser)
const body = (values: object) => ({ name: 'Склад', nameEn: 'Stock', url: null, menuVisible: false, ...values })
/** What an answer says: its status, and of a refusal the fields. */
const outcome = async (caller: Caller, contract: AnyContract, input: Input) => {
  const { status, body: said } = await caller.send(contract, input)
  const faults = (said as { data?: { errorList?: { field: string; code: string }[] } }).data?.errorList ?? []
  return [status, ...faults.map(({ field, code }) => `${field} ${code}`)].join(' ')
}
const refused = '400 menuVisible errorMenuVisible'

/** Draws what its row and its card offer: the actions that have no reason against them. */
const Offered = ({ application }: { application: ApplicationCard }) =>
  Object.entries(useApplicationActions(application, application.name))
    .flatMap(([name, { unavailable }]) => (unavailable ? [] : name))
    .join()

describe('docs/rules/administration-screens.md#menus-of-applications', () => {
  const settable = applicationTypes.filter((type) => type !== 'internal')
  const cases = settable.flatMap((type) => [null, '/help'].map((url) => ({ type, url })))

  test.each(cases)('menus show $type at $url by no call if they can’t', async ({ type, url }) => {
    const caller = await writing()
    const isShown = async (id: string) => {
      const { domain } = await contextOf(caller.browser)
      const items = await serviceItems({ methodIds: new Set() }, domain)
      return items.flatMap((item) => [item, ...item.children]).some((item) => item.id === id)
    }
    const needsAddress = !url && (type === 'link' || type === 'external')
    const can = Boolean(url) && !['draft', 'external'].includes(type)
    const expected = can ? '200' : needsAddress ? `400 url errorEmpty ${refused.slice(4)}` : refused
    const fields = body({ type, url, menuVisible: true })
    const fresh = `c-${randomUUID()}`
    expect(await outcome(caller, createApplication, { body: { ...fields, code: fresh } })).toBe(expected)
    expect(await db().$count(applications, eq(applications.code, fresh))).toBe(can ? 1 : 0)

    // another one becomes such an application
    const { id, code } = await newApplication({ type: 'draft', url: '/was' })
    const put = { params: { id }, body: { ...fields, code } }
    expect(await outcome(caller, updateApplication, put)).toBe(expected)
    expect(await isShown(id)).toBe(can)

    // one that is such an application is switched by its row
    const application = await newApplication({ type, url })
    const patch = { params: { id: application.id }, body: { menuVisible: true } }
    const before = await db().$count(history, eq(history.entityId, application.id))
    expect(await outcome(caller, showApplication, patch)).toBe(can ? '200' : refused)
    expect(await isShown(application.id)).toBe(can)
    if (!can) expect(await db().$count(history, eq(history.entityId, application.id))).toBe(before)
  })

  test('one that is shown can’t become a draft, another owner’s, or lose its address, and stays as it was', async () => {
    const caller = await writing()
    const { id, code } = await newApplication({ type: 'virtual', url: '/help', menuVisible: true })
    for (const change of [{ type: 'draft', url: '/help' }, { type: 'external', url: '/help' }, { type: 'virtual' }])
      expect(
        await outcome(caller, updateApplication, {
          params: { id },
          body: { ...body(change), code, menuVisible: true },
        }),
      ).toBe(refused)
    const [row] = await db().select().from(applications).where(eq(applications.id, id))
    expect(row).toMatchObject({ type: 'virtual', url: '/help', menuVisible: true })
  })
})

describe('parents', () => {
  const put = (caller: Caller, one: { id: string; code: string }, parentId: string | null, type = 'virtual') =>
    outcome(caller, updateApplication, {
      params: { id: one.id },
      body: { ...body({ type, url: '/x' }), code: one.code, parentId },
    })

  test('are virtual, or hold a virtual one; none stands inside of itself', async () => {
    const caller = await writing()
    const link = await newApplication({ type: 'link' })
    const [group, inner] = [await newApplication({ type: 'virtual' }), await newApplication({ type: 'virtual' })]
    const wrong = '400 parentId errorParent'
    expect(await put(caller, link, (await newApplication({ type: 'link' })).id, 'link')).toBe(wrong)
    expect(await put(caller, group, group.id)).toBe(wrong)
    expect(await put(caller, group, link.id)).toBe('200')
    expect(await put(caller, link, group.id, 'link')).toBe(wrong)
    expect(await put(caller, inner, group.id)).toBe('200')
    expect(await put(caller, group, inner.id)).toBe(wrong)
    expect(await put(caller, group, null)).toBe('200')
    // it groups the inner one
    expect(await put(caller, group, null, 'link')).toBe('400 type errorVirtualUsed')
  })

  test('make no ring, whatever thirty change at once', async () => {
    const caller = await writing()
    const random = caseNumbers(23)
    const all = await Promise.all(Array.from({ length: 6 }, () => newApplication({ type: 'virtual', url: '/x' })))
    const ids = all.map(({ id }) => id)
    let made = 0
    for (const _ of eachRound(6)) {
      const outcomes = await thirty(() => {
        const one = all[random(6)] ?? { id: '', code: '' }
        return put(caller, one, random(5) === 0 ? null : (ids[random(6)] ?? null))
      })
      expect(new Set(outcomes)).toEqual(new Set(['200', '400 parentId errorParent']))
      made += outcomes.filter((status) => status === '200').length
      const rows = await db().select().from(applications).where(inArray(applications.id, ids))
      const parents = new Map(rows.map(({ id, parentId }) => [id, parentId]))
      for (const id of ids) {
        let [at, steps] = [parents.get(id) ?? null, 0]
        while (at && steps++ < 10) at = parents.get(at) ?? null
        expect(at).toBeNull()
      }
    }
    expect(made).toBeGreaterThan(shareOf(30))
  })
})

describe('own methods', () => {
  const put = (caller: Caller, id: string, list: readonly { id?: string; code: string }[]) =>
    caller.send(updateApplicationMethods, {
      params: { id },
      body: { methods: list.map(({ id: named, code }) => ({ ...(named ? { id: named } : {}), code, name: 'Право' })) },
    })
  const withMethods = async () => {
    const { id } = await newApplication()
    const codes = [`a-${id}`, `b-${id}`] as const
    const ownMethods = codes.map((code) => ({ code, name: 'Право', kind: 'application' as const, applicationId: id }))
    const [a, b] = await db().insert(methods).values(ownMethods).returning({ id: methods.id, code: methods.code })
    if (!a || !b) throw new Error('two methods were made')
    return { id, a, b }
  }
  const stored = async (id: string) =>
    (await db().select().from(methods).where(eq(methods.applicationId, id)).orderBy(methods.code)).map(
      ({ id: method, code }) => ({ id: method, code }),
    )

  test('never change hands: the code of one that somebody holds stays', async () => {
    const caller = await writing()
    const { id, a, b } = await withMethods()
    const swapped = [
      { ...a, code: b.code },
      { ...b, code: a.code },
    ]
    // nobody holds them yet
    expect((await put(caller, id, swapped)).status).toBe(200)
    expect((await put(caller, id, [a, b])).status).toBe(200)
    await createRoleWith([a.code])
    for (const changed of [swapped, [{ ...a, code: 'other' }, b], [{ ...a, code: 'other' }, { code: a.code }, b]])
      expect(await put(caller, id, changed)).toMatchObject({ status: 409, body: { code: 'methodUsed' } })
    expect(await stored(id)).toEqual([a, b])
    // names may change, and the code of the other one
    expect((await put(caller, id, [a, { ...b, code: `c-${id}` }, { code: b.code }])).status).toBe(200)
  })

  test('nor while a role is about to get one', async () => {
    const caller = await writing()
    const { id, a, b } = await withMethods()
    const role = await createRoleWith([])
    let saving: ReturnType<typeof put> | undefined
    await db().transaction(async (tx) => {
      await tx.execute(sql`insert into ${roleMethods} (role_id, method_id)
        select r.id, ${a.id}::uuid from roles r where r.code = ${role}`)
      saving = outsideTransaction(() => put(caller, id, [{ ...a, code: 'other' }, b]))
      await somebodyWaits(tx)
    })
    expect(await saving).toMatchObject({ status: 409, body: { code: 'methodUsed' } })
    expect(await stored(id)).toEqual([a, b])
  })
})

describe('docs/rules/access.md#secrets', () => {
  test('a secret from before the newest right of its application is marked until it is replaced', async () => {
    const caller = await writing()
    const made = await newApplication()
    const { clientId } = clientBody()
    const client = { ...clientBody({ clientId }), pkceRequired: true }
    await caller.call(clientCalls.createClient, { params: { id: made.id }, body: client } as never)
    const [right, other] = await Promise.all(
      ['applications.read', 'applications.write'].map(async (code) => {
        const [row] = await db().select({ id: methods.id }).from(methods).where(eq(methods.code, code))
        return row?.id ?? ''
      }),
    )
    const give = (list: (string | undefined)[]) =>
      caller.call(updateServiceMethods, { params: { id: made.id }, body: { methods: list.map(String) } })
    const marked = async () =>
      (await readApplication(caller, made)).clients[0]?.secrets.map(({ beforeRights }) => beforeRights)
    expect(await marked()).toEqual([false])
    await give([right])
    expect(await marked()).toEqual([true])
    await caller.call(clientCalls.rotateClientSecret, { params: { clientId }, body: { overlap: 60 } })
    expect(await marked()).toEqual([false, true])
    await give([])
    expect(await marked()).toEqual([false, true])
    await give([other])
    expect(await marked()).toEqual([true, true])
  })
})

describe('the actions on an application', () => {
  const cases: Partial<typeof applications.$inferInsert>[] = [
    ...applicationTypes.flatMap((type) => [null, '/help'].map((url) => ({ type, url }))),
    ...[{ actionsAccess: 1 }, { actionsAccess: 2 }, { immutable: true }].map((more) => ({ ...more, url: '/help' })),
  ]

  test('are offered where the platform allows them, and nowhere else', async () => {
    const [caller, messages] = [await writing(), await loadMessages('ru')]
    const calls = [
      ['menu', showApplication, { menuVisible: true }],
      ['toggle', enableApplication, { enabled: false }],
      ['remove', deleteApplication, undefined],
    ] as const
    for (const values of cases) {
      const made = await newApplication({ type: 'virtual' })
      await db().update(applications).set(values).where(eq(applications.id, made.id))
      const actions = createElement(Offered, { application: await readApplication(caller, made) })
      const texts = { locale: 'ru' as const, messages, timeZone: 'Europe/Moscow', children: actions }
      const offered = renderToStaticMarkup(createElement(NextIntlClientProvider, texts))
      const allowed: string[] = []
      for (const [name, contract, body] of calls)
        if ((await outcome(caller, contract, { params: { id: made.id }, body })) === '200') allowed.push(name)
      expect(offered, JSON.stringify(values)).toBe(allowed.join())
    }
  })
})
