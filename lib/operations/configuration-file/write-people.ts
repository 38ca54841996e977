import { isDeepStrictEqual } from 'node:util'
import { randomToken } from '@/lib/base/crypto/encryption'
import { fieldError } from '@/lib/base/runtime/errors'
import * as mapperCalls from '@/lib/directory-sync/provider-mappers/contract'
import * as mappers from '@/lib/directory-sync/provider-mappers/service'
import * as syncCalls from '@/lib/directory-sync/provider-sync/contract'
import { updateProviderSync } from '@/lib/directory-sync/provider-sync/service'
import * as providerCalls from '@/lib/directory-sync/providers/contract'
import * as providers from '@/lib/directory-sync/providers/service'
import * as exchangeCalls from '@/lib/exchanges/exchanges/contract'
import * as exchanges from '@/lib/exchanges/exchanges/service'
import * as fieldCalls from '@/lib/fields/dynamic-fields/contract'
import * as fields from '@/lib/fields/dynamic-fields/service'
import * as blocks from '@/lib/fields/dynamic-fields/subtypes'
import * as tabCalls from '@/lib/fields/field-tabs/contract'
import * as tabs from '@/lib/fields/field-tabs/service'
import { enableNotifyMethod } from '@/lib/messaging/channels/service'
import { type Configured, noSynchronization } from './sections'
import { bodyOf, changes, differs, idOf, idsOf, storedId, type Writer, type Writers, type Writing } from './writing'

const writeTab: Writer<'fieldTabs'> = async ({ ctx }, { before, after }) => {
  const { type, code: tab } = (after ?? before) as Configured<'fieldTabs'>
  const params = { type, tab }
  if (!after) return void (await tabs.deleteFieldTab(ctx, { params }))
  if (!before) {
    // the id of a tab is its code, which must begin with its type as ids are written
    if (!tab.startsWith(`${type.replaceAll('-', '_')}_`) || !/^[a-z0-9_-]{1,64}$/.test(tab))
      throw fieldError('code', 'errorFieldCode')
    await tabs.createFieldTab(ctx, { params: { type }, body: bodyOf(tabCalls.createFieldTab, after) }, tab)
  } else if (changes(tabCalls.updateFieldTab, before, after))
    await tabs.updateFieldTab(ctx, { params, body: bodyOf(tabCalls.updateFieldTab, after) })
  const { active } = after
  if ((before?.active ?? true) !== active) await fields.activateFieldTab(ctx, { params, body: { active } })
}

const writeBlock: Writer<'fieldBlocks'> = async ({ ctx }, { before, after }) => {
  const { type, code } = (after ?? before) as Configured<'fieldBlocks'>
  if (!after) return void (await blocks.deleteSubtype(ctx, { params: { type, id: code } }))
  const params = { type }
  if (before) await blocks.updateSubtype(ctx, { params, body: bodyOf(fieldCalls.updateSubtype, after) })
  else await blocks.createSubtype(ctx, { params, body: bodyOf(fieldCalls.createSubtype, after) })
}

const writeField: Writer<'fields'> = async (writing, { key, before, after }) => {
  const { ctx } = writing
  const { type } = (after ?? before) as Configured<'fields'>
  const params = () => ({ type, id: storedId(writing, 'fields', key) })
  if (!after) return void (await fields.deleteDynamicField(ctx, { params: params() }))
  const input = { ...after, subtype: after.block }
  if (!before)
    return void (await fields.createDynamicField(ctx, { body: bodyOf(fieldCalls.createDynamicField, input) }))
  // values refer to items by id
  const { field } = await fields.readDynamicField(ctx, { params: params() })
  const ids = new Map(field.items.map((item) => [item.code, item.id]))
  const items = after.items.map((item) => ({ ...item, ...(ids.has(item.code) ? { id: ids.get(item.code) } : {}) }))
  const body = bodyOf(fieldCalls.updateDynamicField, { ...input, items })
  await fields.updateDynamicField(ctx, { params: params(), body })
  // a save with another field type makes the field optional everywhere
  const required = after.adminRequired || after.profileRequired || after.integrationRequired
  if (before.fieldType !== after.fieldType && required) await fields.updateDynamicField(ctx, { params: params(), body })
}

type Provider = Configured<'providers'>

async function writeMappers(writing: Writing, syncId: string, before: Provider | null, after: Provider) {
  const { ctx } = writing
  const stored = new Map(
    (await mappers.listProviderMappers(ctx, { params: { syncId } })).mappers.map((row) => [row.name, row]),
  )
  const fileMappers = new Set(after.mappers.map(({ name }) => name))
  for (const [name, { id }] of stored)
    if (!fileMappers.has(name)) await mappers.deleteProviderMapper(ctx, { params: { syncId, id } })
  // two enabled mappers can't fill one field, not even for a moment
  for (const storedMapper of before?.mappers ?? []) {
    const id = stored.get(storedMapper.name)?.id
    const unchanged = after.mappers.some((mapper) => isDeepStrictEqual(mapper, storedMapper))
    if (id && storedMapper.enabled && !unchanged && fileMappers.has(storedMapper.name))
      await mappers.enableProviderMapper(ctx, { params: { syncId, id }, body: { enabled: false } })
  }
  const toEnable: string[] = []
  for (const [mapperIndex, { enabled, ...mapper }] of after.mappers.entries()) {
    const storedMapper = before?.mappers.find(({ name }) => name === mapper.name)
    if (storedMapper && isDeepStrictEqual(storedMapper, { enabled, ...mapper })) continue
    const attributes = mapper.attributes.map(({ attribute, value }, attributeIndex) => ({
      attribute,
      value:
        mapper.type === 'users-access'
          ? idOf(
              writing,
              mapper.after === 'method' ? 'methods' : 'roles',
              value,
              `mappers.${mapperIndex}.attributes.${attributeIndex}.value`,
            )
          : value,
    }))
    const input = { ...mapper, attributes }
    let id = stored.get(mapper.name)?.id
    if (!id) {
      const body = bodyOf(mapperCalls.createProviderMapper, { ...input, enabled: false })
      id = (await mappers.createProviderMapper(ctx, { params: { syncId }, body })).id
    } else {
      const body = bodyOf(mapperCalls.updateProviderMapper, input)
      await mappers.updateProviderMapper(ctx, { params: { syncId, id }, body })
    }
    if (enabled) toEnable.push(id)
  }
  for (const id of toEnable)
    await mappers.enableProviderMapper(ctx, { params: { syncId, id }, body: { enabled: true } })
}

const writeProvider: Writer<'providers'> = async (writing, { key, before, after, secretLess }) => {
  const { ctx, notes } = writing
  if (!after) return void (await providers.deleteProvider(ctx, { params: { id: storedId(writing, 'providers', key) } }))
  const { type, enabled, secret } = after
  const input = { ...after, domains: idsOf(writing, 'domains', after.domains, 'domains') }
  let id = before ? storedId(writing, 'providers', key) : ''
  if (!before) {
    // nobody knows the random value that replaces a missing secret, so the provider refuses it
    const clientSecret = secret ?? randomToken()
    const body = bodyOf(providerCalls.createProvider, { ...input, clientSecret })
    id = (await providers.createProvider(ctx, { body })).id
    if (secret === null) notes.push({ section: 'providers', key, code: 'secretMissing' })
  } else {
    if (before.type !== type) throw fieldError('type', 'errorImmutable')
    if (changes(providerCalls.updateProvider, before, after, 'secret')) {
      // a stored secret isn't sent to another address
      const moved = differs(before, after, ['url', 'realm', 'clientId'])
      if (moved && secretLess) notes.push({ section: 'providers', key, code: 'secretMissing' })
      const clientSecret = secretLess ? (moved ? randomToken() : '') : (secret ?? '')
      const body = bodyOf(providerCalls.updateProvider, { ...input, clientSecret })
      await providers.updateProvider(ctx, { params: { id }, body })
    }
  }
  if ((before?.enabled ?? false) !== enabled) await providers.enableProvider(ctx, { params: { id }, body: { enabled } })
  const [sync] = (await providers.readProvider(ctx, { params: { id } })).provider.sync
  if (!sync) return
  await writeMappers(writing, sync.id, before, after)
  const { limit, ...period } = after.synchronization
  if (JSON.stringify(before?.synchronization ?? noSynchronization) === JSON.stringify(after.synchronization)) return
  const body = bodyOf(syncCalls.updateProviderSync, { ...period, syncLimit: limit })
  await updateProviderSync(ctx, { params: { id, syncId: sync.id }, body })
}

const writeNotifyMethod: Writer<'notifyMethods'> = async ({ ctx }, { key, before, after }) => {
  if (!before) throw fieldError('channel', 'errorConfigurationReference', { name: key })
  if (after) await enableNotifyMethod(ctx, { params: { id: key }, body: { enabled: after.enabled } })
}

const writeExchange: Writer<'exchanges'> = async (writing, { key, before, after, secretLess }) => {
  const { ctx, notes } = writing
  if (!before || !after) throw fieldError('key', 'errorConfigurationReference', { name: key })
  const params = { id: storedId(writing, 'exchanges', key) }
  if (before.enabled && !after.enabled) await exchanges.enableIntegrationSync(ctx, { params, body: { enabled: false } })
  if (after.url === '') return void (before.url !== '' && (await exchanges.unsetIntegrationSync(ctx, { params })))
  if (changes(exchangeCalls.updateIntegrationSync, before, after)) {
    // a stored secret isn't sent to another address
    const moved = before.auth === 'none' || differs(before, after, ['url', 'auth', 'authName'])
    const needsSecret = after.auth !== 'none' && moved && secretLess
    if (needsSecret) notes.push({ section: 'exchanges', key, code: 'secretMissing' })
    const secret = needsSecret ? randomToken() : secretLess ? '' : (after.secret ?? '')
    const body = bodyOf(exchangeCalls.updateIntegrationSync, { ...after, secret })
    await exchanges.updateIntegrationSync(ctx, { params, body })
  }
  if (!before.enabled && after.enabled) {
    await exchanges.enableIntegrationSync(ctx, { params, body: { enabled: true } })
    // exchanges act with the rights of a person, and a command is none
    if (!ctx.user) notes.push({ section: 'exchanges', key, code: 'actorMissing' })
  }
}

export const peopleWriters = {
  fieldTabs: [writeTab],
  fieldBlocks: [writeBlock],
  fields: [writeField],
  providers: [writeProvider],
  notifyMethods: [writeNotifyMethod],
  exchanges: [writeExchange],
} satisfies Partial<Writers>
