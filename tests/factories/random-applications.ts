import { eq, isNull } from 'drizzle-orm'
import { db } from '@/db/client'
import { applications, domains, methods, roles } from '@/db/schema'
import * as roleCalls from '@/lib/access/roles/contract'
import * as roleVerbs from '@/lib/access/roles/manage'
import * as applicationCalls from '@/lib/applications/applications/contract'
import { storeApplicationIcon } from '@/lib/applications/applications/icon'
import * as applicationVerbs from '@/lib/applications/applications/manage'
import * as webhookCalls from '@/lib/applications/webhooks/contract'
import * as webhookVerbs from '@/lib/applications/webhooks/service'
import type { Ctx } from '@/lib/base/context/ctx'
import { serviceMethodChoice, updateServiceMethods } from '@/lib/openid/applications/service'
import * as clientCalls from '@/lib/openid/clients/contract'
import * as clientVerbs from '@/lib/openid/clients/manage'
import * as schemaCalls from '@/lib/sign-in/schema-administration/contract'
import * as schemaVerbs from '@/lib/sign-in/schema-administration/service'
import { type At, drawn, parsed, pictures, publicKey } from './random-values'

/** What administrators set of applications, roles and schemas of signing in, at random. */
export async function setApplications(ctx: Ctx, at: At): Promise<void> {
  const { act, chance, few, one, order, text, flag } = at
  const served = await db().select().from(domains)
  const codes = ['shop', 'ledger', 'group', 'drive', 'wiki', 'tools']
  for (const code of few(codes))
    await act('createApplication', () => {
      // an internal one can't become another one
      const type = code === 'wiki' ? 'internal' : one(['external', 'draft', 'link', 'virtual'] as const)
      const url = type === 'link' || type === 'external' || flag() ? `https://${code}.polaris.example/` : ''
      const given = {
        ...{ code, type, url, name: text(), nameEn: one(['', text()]), description: one(['', text()]) },
        ...{ descriptionEn: one(['', text()]), menuVisible: url !== '' && type === 'link' && flag() },
        ...{ swaggerUrl: one(['', 'https://api.example/doc']), helpUrl: one(['', '/help']), compodocUrl: '' },
        ...{ techUrl: one(['', '/tech']), ip: few(['192.0.2.0/24', '2001:db8::1']) },
        domains: few(served).map(({ id }) => id),
      }
      return applicationVerbs.createApplication(ctx, { body: parsed(applicationCalls.createApplication, given) })
    })
  const rows = (await db().select().from(applications)).filter(({ code }) => codes.includes(code))
  for (const { id, code, ...row } of rows) {
    await act('updateApplicationMethods', () => {
      const given = few(['orders.read', 'orders.write', 'admin', 'x:y']).map((method) => ({
        code: method,
        name: text(),
        nameEn: one(['', text()]),
      }))
      return given.length === 0
        ? undefined
        : applicationVerbs.updateApplicationMethods(ctx, {
            params: { id },
            body: parsed(applicationCalls.updateApplicationMethods, { methods: given }),
          })
    })
    if (chance(3))
      await act('storeApplicationIcon', async () => storeApplicationIcon(ctx, id, await drawn(one(pictures))))
    if (chance(2))
      await act('updateApplication', () => {
        const parentId =
          one(
            rows
              .filter((other) => other.type === 'virtual' || row.type === 'virtual')
              .map((other) => other.id)
              .filter((other) => other !== id),
          ) ?? null
        const body = parsed(applicationCalls.updateApplication, {
          ...{ code, type: row.type, name: row.name, nameEn: row.nameEn ?? '', description: text(), descriptionEn: '' },
          ...{ url: row.url ?? '', menuVisible: row.menuVisible, parentId, ip: row.ip },
          domains: few(served).map((domain) => domain.id),
        })
        return applicationVerbs.updateApplication(ctx, { params: { id }, body })
      })
    if (chance(4))
      await act('enableApplication', () =>
        applicationVerbs.enableApplication(ctx, { params: { id }, body: { enabled: flag() } }),
      )
  }
  const everyMethod = await db().select().from(methods)
  const systemic = (await serviceMethodChoice(ctx)).methods
  const shell = {
    ...ctx,
    service: ctx.service && { ...ctx.service, methodIds: new Set(everyMethod.map(({ id }) => id)) },
  }
  for (const { id, code, type } of rows) {
    if (chance(2))
      await act('updateServiceMethods', () =>
        updateServiceMethods(shell, { params: { id }, body: { methods: few(systemic).map((method) => method.id) } }),
      )
    // a client never moves to another application
    for (const clientId of few([`${code}-web`, `${code}_app`]))
      await act('createClient', () => {
        const native = flag()
        const authMethod = one(['client_secret_basic', 'client_secret_post', 'none'] as const)
        const grants = authMethod === 'none' ? [] : few(['client_credentials'])
        const given = {
          ...{ clientId, name: text(), authMethod, applicationType: native ? 'native' : 'web' },
          redirectUris: order([
            `https://${code}.polaris.example/cb`,
            native ? 'com.example.app:/cb' : 'http://localhost:9/cb',
          ]),
          postLogoutRedirectUris: few([`https://${code}.polaris.example/out`]),
          backchannelLogoutUri: one([null, `https://${code}.polaris.example/bye`]),
          grantTypes: ['authorization_code', ...few(['refresh_token']), ...grants],
          // settings may be changed later to what a client couldn't be saved with
          ...{ accessTokenLifespan: one([null, 1]), refreshTokenLifespan: one([null, 604_800]) },
          ...{ idTokenAlg: one(['RS256', 'PS256', 'ES256']), pkceRequired: authMethod === 'none' || flag() },
        }
        return clientVerbs.createClient(shell, {
          params: { id },
          body: parsed(clientCalls.createClient, given) as never,
        })
      })
    if (chance(2))
      await act('updateClientKeys', async () => {
        const keys = one([
          { jwks: JSON.stringify({ keys: [publicKey] }) },
          { jwksUri: `https://${code}.polaris.example/jwks` },
        ])
        const body = parsed(clientCalls.updateClientKeys, keys)
        await clientVerbs.updateClientKeys(shell, { params: { clientId: `${code}-web` }, body })
      })
    if (chance(4))
      await act('enableClient', () =>
        clientVerbs.enableClient(shell, { params: { clientId: `${code}_app` }, body: { enabled: flag() } }),
      )
    if (type !== 'virtual' && chance(2))
      for (const name of few(['Приёмник', 'Приёмник', 'Журнал']))
        await act('createWebhook', async () => {
          const { types } = await webhookVerbs.listWebhooks(shell, { params: { id } })
          const heard = few(types.filter(({ allowed }) => allowed)).map((each) => each.type)
          const given = { name, url: `https://${code}.polaris.example/hook`, types: heard }
          const body = parsed(webhookCalls.createWebhook, given)
          const { id: webhookId } = await webhookVerbs.createWebhook(shell, { params: { id }, body })
          if (flag()) await webhookVerbs.enableWebhook(shell, { params: { id, webhookId }, body: { enabled: false } })
        })
  }

  for (const name of [...few(['Кладовщик', 'Аудитор', 'administrator']), ...few(['Кладовщик', 'Кладовщик (2)'])])
    await act('createRole', () => {
      // a role that something uses keeps its type
      const roleType = name.startsWith('К') ? 'organizational' : 'systemic'
      const given = {
        name,
        nameEn: one(['', text()]),
        comment: one(['', text()]),
        roleType,
        methods: few(everyMethod).map(({ id }) => id),
      }
      return roleVerbs.createRole(shell, { body: parsed(roleCalls.createRole, given) })
    })
  const madeRoles = await db().select().from(roles).where(isNull(roles.code))
  for (const { id } of few(madeRoles))
    await act('enableRole', () => roleVerbs.enableRole(shell, { params: { id }, body: { enabled: flag() } }))
  const [user] = await db().select().from(roles).where(eq(roles.code, 'user'))
  if (user && chance(3))
    await act('updateRole', () =>
      roleVerbs.updateRole(shell, {
        params: { id: user.id },
        body: parsed(roleCalls.updateRole, {
          name: text(),
          roleType: user.roleType,
          // everybody has it: a method of the platform is refused
          methods: few(everyMethod.filter(({ kind }) => kind === 'application')).map(({ id }) => id),
        }),
      }),
    )
  const flows = ['credentials', 'email_code', 'sms_code']
  for (const code of few(['strict', 'guests', 'night']))
    await act('createAuthenticationSchema', () => {
      const given = { code, name: text(), nameEn: one(['', text()]), comment: one(['', text()]), active: flag() }
      const firstFactor = order(flows).slice(0, 1 + at.random(3))
      const secondFactor = order(flows).slice(0, at.random(3))
      const body = parsed(schemaCalls.createAuthenticationSchema, {
        ...given,
        ...{ firstFactor, secondFactor, roles: few(madeRoles).map(({ id }) => id) },
      })
      return schemaVerbs.createAuthenticationSchema(shell, { body })
    })
  await act('orderAuthenticationSchemas', async () => {
    const { schemas } = await schemaVerbs.listAuthenticationSchemas(shell)
    const priority = order(schemas.filter(({ base }) => !base)).map(({ id }, place) => ({ id, priority: place }))
    await schemaVerbs.orderAuthenticationSchemas(shell, { body: { priority } })
  })
  await act('orderApplications', async () => {
    const everyOne = order(await db().select({ id: applications.id }).from(applications))
    await applicationVerbs.orderApplications(shell, {
      body: { order: everyOne.map(({ id }, place) => ({ id, order: place })) },
    })
  })
}
