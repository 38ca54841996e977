import { randomUUID } from 'node:crypto'
import * as roleCalls from '@/lib/access/roles/contract'
import * as roles from '@/lib/access/roles/manage'
import { createMethodRole, methodOfRole } from '@/lib/access/roles/of-methods'
import { apiAddress } from '@/lib/applications/applications/address'
import * as applicationCalls from '@/lib/applications/applications/contract'
import { applicationDetails } from '@/lib/applications/applications/details'
import { storeApplicationIcon } from '@/lib/applications/applications/icon'
import * as applications from '@/lib/applications/applications/manage'
import { configureWebhook } from '@/lib/applications/webhooks/configure'
import * as webhookCalls from '@/lib/applications/webhooks/contract'
import { deleteWebhook } from '@/lib/applications/webhooks/service'
import { fieldError } from '@/lib/base/runtime/errors'
import { isMaskedAddress } from '@/lib/base/text/masks'
import { deleteApplication, updateServiceMethods } from '@/lib/openid/applications/service'
import * as clientCalls from '@/lib/openid/clients/contract'
import * as clients from '@/lib/openid/clients/manage'
import { setClientSecret } from '@/lib/openid/clients/service'
import schemaScreen from '@/lib/sign-in/schema-administration/endpoints'
import type { Plan, Step } from './plan'
import type { Configured } from './sections'
import {
  bodyOf,
  changes,
  differs,
  idOf,
  idsOf,
  pictureOf,
  storedId,
  type Writer,
  type Writers,
  type Writing,
  writerOf,
} from './writing'

type Application = Configured<'applications'>

const applicationInput = (writing: Writing, application: Application, parent: string | null) => ({
  ...application,
  parentId: parent === null ? null : idOf(writing, 'applications', parent, 'parent'),
  domains: idsOf(writing, 'domains', application.domains, 'domains'),
})

/** Writes the methods of an application by their codes; methods that the file doesn't have stay unless `removing`. */
async function writeMethods(
  writing: Writing,
  id: string,
  application: Application,
  { removing }: { removing: boolean },
) {
  const stored = (await applicationDetails(id)).methods
  const fileMethods = application.methods.map((method) => {
    const storedMethod = stored.find(({ code }) => code === method.code)
    return { ...method, ...(storedMethod ? { id: storedMethod.id } : {}) }
  })
  const unnamed = removing
    ? []
    : stored.filter(({ code }) => !application.methods.some((method) => method.code === code))
  const keptMethods = unnamed.map(({ id: methodId, code, name, nameEn }) => ({ id: methodId, code, name, nameEn }))
  const body = bodyOf(applicationCalls.updateApplicationMethods, { methods: [...fileMethods, ...keptMethods] })
  await applications.updateApplicationMethods(writing.ctx, { params: { id }, body })
  for (const method of (await applicationDetails(id)).methods) {
    writing.ids.methods.set(`${application.code}: ${method.code}`, method.id)
    writing.made(method.id)
  }
}

/** Removes the methods that an application has and the file doesn't. */
const removeMethods: Writer<'applications'> = async (writing, { key, before, after }) => {
  const removes = before?.methods.some(({ code }) => !after?.methods.some((method) => method.code === code))
  if (after && removes)
    await writeMethods(writing, idOf(writing, 'applications', key, 'code'), after, { removing: true })
}

const addressOf = (application: Step['before']) => apiAddress((application as Application | null)?.url ?? null)

/** Returns the applications with methods whose address the file gives to another application. */
export function releasingAddresses({ steps }: Plan): Step[] {
  const applicationSteps = steps.filter(({ section }) => section === 'applications')
  return applicationSteps.filter(({ key, before, after }) => {
    const address = addressOf(before)
    const leaves = address !== undefined && address !== addressOf(after)
    if (!leaves || (before as Application).methods.length === 0) return false
    return applicationSteps.some((otherStep) => otherStep.key !== key && addressOf(otherStep.after) === address)
  })
}

/**
 * Takes its address from an application: two applications with methods may never have the same address, not even for a
 * moment.
 */
export async function releaseAddress(writing: Writing, { key, before }: Step) {
  const application = before as Application
  const url = `https://${randomUUID()}.invalid/`
  const body = bodyOf(
    applicationCalls.updateApplication,
    applicationInput(writing, { ...application, url }, application.parent),
  )
  await applications.updateApplication(writing.ctx, { params: { id: storedId(writing, 'applications', key) }, body })
}

/** Writes an application without its references to other objects: see `writeApplicationTies`. */
const writeApplication: Writer<'applications'> = async (writing, { key, before, after }) => {
  const { ctx, ids, notes } = writing
  if (!after) return void (await deleteApplication(ctx, { params: { id: storedId(writing, 'applications', key) } }))
  if (!before) {
    const body = bodyOf(applicationCalls.createApplication, applicationInput(writing, after, null))
    ids.applications.set(key, (await applications.createApplication(ctx, { body })).id)
  } else if (changes(applicationCalls.updateApplication, before, after, 'parent')) {
    // one that gets another parent has none in between: two that swap places would otherwise contain each other
    const parent = before.parent === after.parent ? after.parent : null
    await applications.updateApplication(ctx, {
      params: { id: storedId(writing, 'applications', key) },
      body: bodyOf(applicationCalls.updateApplication, applicationInput(writing, after, parent)),
    })
  }
  if ([after.swaggerUrl, after.compodocUrl, after.techUrl].some(isMaskedAddress))
    notes.push({ section: 'applications', key, code: 'addressMasked' })
  const id = idOf(writing, 'applications', key, 'code')
  if (differs(before, after, ['methods']) && (before || after.methods.length > 0))
    // roles may still have the methods that are to be removed
    await writeMethods(writing, id, after, { removing: false })
  if (differs(before, after, ['icon']) && (before?.icon || after.icon))
    await storeApplicationIcon(ctx, id, await pictureOf(after.icon))
}

/** Writes the references of an application: its parent in menus, and the methods of its service account. */
const writeApplicationTies: Writer<'applications'> = async (writing, { key, before, after }) => {
  if (!after) return
  const { ctx } = writing
  const params = { id: idOf(writing, 'applications', key, 'code') }
  if (after.parent !== null && before?.parent !== after.parent) {
    const body = bodyOf(applicationCalls.updateApplication, applicationInput(writing, after, after.parent))
    await applications.updateApplication(ctx, { params, body })
  }
  if (differs(before, after, ['serviceMethods']) && (before || after.serviceMethods.length > 0)) {
    const methods = idsOf(writing, 'methods', after.serviceMethods, 'serviceMethods')
    await updateServiceMethods(ctx, { params, body: { methods } })
  }
  if ((before?.enabled ?? true) !== after.enabled)
    await applications.enableApplication(ctx, { params, body: { enabled: after.enabled } })
}

type Client = Configured<'clients'>

async function writeAuthentication(writing: Writing, before: Client | null, after: Client) {
  const { ctx, notes } = writing
  const params = { clientId: after.clientId }
  if (after.authMethod === 'private_key_jwt') {
    if (!differs(before, after, ['authMethod', 'jwks', 'jwksUri'])) return
    const keys = {
      ...(after.jwks ? { jwks: JSON.stringify(after.jwks) } : {}),
      ...(after.jwksUri ? { jwksUri: after.jwksUri } : {}),
    }
    await clients.updateClientKeys(ctx, { params, body: bodyOf(clientCalls.updateClientKeys, keys) })
    return
  }
  if (before && before.authMethod !== after.authMethod)
    await clients.updateClientAuthentication(ctx, { params, body: { authMethod: after.authMethod } })
  if (after.authMethod === 'none') return
  if (after.secret !== null && after.secret !== before?.secret)
    await setClientSecret(ctx, { clientId: after.clientId, secret: after.secret })
  if (after.secret === null && !before?.authMethod.startsWith('client_secret'))
    notes.push({ section: 'clients', key: after.clientId, code: 'secretNew' })
}

const writeClient: Writer<'clients'> = async (writing, { key, before, after }) => {
  const { ctx } = writing
  const params = { clientId: key }
  if (!after) return void (await clients.deleteClient(ctx, { params }))
  if (before && before.application !== after.application) throw fieldError('application', 'errorImmutable')
  if (!before) {
    const id = idOf(writing, 'applications', after.application, 'application')
    const authMethod = after.authMethod === 'private_key_jwt' ? 'client_secret_basic' : after.authMethod
    const body = bodyOf(clientCalls.createClient, { ...after, authMethod })
    await clients.createClient(ctx, { params: { id }, body })
  } else {
    // a client without authentication can do less than one with it, so its authentication changes first
    if (before.authMethod === 'none') await writeAuthentication(writing, before, after)
    if (changes(clientCalls.updateClient, before, after))
      await clients.updateClient(ctx, { params, body: bodyOf(clientCalls.updateClient, after) })
  }
  if (before?.authMethod !== 'none') await writeAuthentication(writing, before, after)
  if ((before?.enabled ?? true) !== after.enabled)
    await clients.enableClient(ctx, { params, body: { enabled: after.enabled } })
}

const writeWebhook: Writer<'webhooks'> = async (writing, { key, before, after, secretLess }) => {
  const { ctx, notes } = writing
  const { application } = (after ?? before) as Configured<'webhooks'>
  const applicationId = idOf(writing, 'applications', application, 'application')
  const webhookId = before ? storedId(writing, 'webhooks', key) : null
  if (!after) return void (webhookId && (await deleteWebhook(ctx, { params: { id: applicationId, webhookId } })))
  const { url, enabled, secret } = after
  const values = { ...bodyOf(webhookCalls.createWebhook, after), enabled }
  await configureWebhook(ctx, { applicationId, id: webhookId, values, secret: secretLess ? null : secret })
  if (webhookId === null && secretLess) notes.push({ section: 'webhooks', key, code: 'webhookOff' })
  if (isMaskedAddress(url)) notes.push({ section: 'webhooks', key, code: 'addressHidden' })
}

const writeRole: Writer<'roles'> = async (writing, { key, before, after }) => {
  const { ctx } = writing
  if (!after) return void (await roles.deleteRole(ctx, { params: { id: storedId(writing, 'roles', key) } }))
  const input = { ...after, methods: idsOf(writing, 'methods', after.methods, 'methods') }
  // a role that only has such a name keeps its name only in its own instance
  const method = after.name === key ? null : methodOfRole(key)
  if (!before && method) {
    const id = idOf(writing, 'methods', method, 'role')
    writing.ids.roles.set(key, await createMethodRole(ctx, { id, code: method }))
  } else if (!before)
    writing.ids.roles.set(key, (await roles.createRole(ctx, { body: bodyOf(roleCalls.createRole, input) })).id)
  const params = { id: idOf(writing, 'roles', key, 'role') }
  // a role of a method is created with its fixed names; unchanged values aren't written
  const written = method !== null && !before
  if (written || (before && changes(roleCalls.updateRole, before, after)))
    await roles.updateRole(ctx, { params, body: bodyOf(roleCalls.updateRole, input) })
  if ((before?.enabled ?? true) !== after.enabled)
    await roles.enableRole(ctx, { params, body: { enabled: after.enabled } })
}

const writeSchema = writerOf(
  'authenticationSchemas',
  schemaScreen,
  [
    'createAuthenticationSchema',
    'updateAuthenticationSchema',
    'activateAuthenticationSchema',
    'deleteAuthenticationSchema',
  ],
  (writing, schema) => ({ ...schema, roles: idsOf(writing, 'roles', schema.roles, 'roles') }),
)

export const applicationWriters = {
  applications: [writeApplication, writeApplicationTies, removeMethods],
  clients: [writeClient],
  webhooks: [writeWebhook],
  roles: [writeRole],
  authenticationSchemas: [writeSchema],
} satisfies Partial<Writers>
