import * as applicationCalls from '@/lib/applications/applications/contract'
import * as applications from '@/lib/applications/applications/manage'
import { fieldError } from '@/lib/base/runtime/errors'
import * as fieldCalls from '@/lib/fields/dynamic-fields/contract'
import * as fields from '@/lib/fields/dynamic-fields/service'
import * as blocks from '@/lib/fields/dynamic-fields/subtypes'
import * as schemaCalls from '@/lib/sign-in/schema-administration/contract'
import * as schemas from '@/lib/sign-in/schema-administration/service'
import type { Expected, Loose } from './plan'
import type { Rows } from './queries'
import type { Current } from './read'
import type { Configured, Section } from './sections'
import { bodyOf, idsByName, type Writing } from './writing'

/** Returns the orders that administrators set, each with the name of its list. */
export function ordersOf(rows: Rows): Configured<'orders'>[] {
  const types = [...new Set(rows.tabs.map(({ type }) => type))]
  return [
    { of: 'applications', order: rows.applications.map(({ code }) => code) },
    { of: 'authenticationSchemas', order: rows.schemas.filter(({ base }) => !base).map(({ code }) => code) },
    ...types.map((type) => ({
      of: `fieldTabs/${type}`,
      order: rows.tabs.filter((tab) => tab.type === type).map(({ id }) => id),
    })),
    ...rows.tabs.map((tab) => ({
      of: `fieldBlocks/${tab.type}/${tab.id}`,
      order: rows.blocks.filter(({ type, tabId }) => type === tab.type && tabId === tab.id).map(({ code }) => code),
    })),
    ...rows.blocks.map(({ type, code }) => ({
      of: `fields/${type}/${code}`,
      order: rows.fields.filter((field) => field.type === type && field.subtype === code).map((field) => field.code),
    })),
  ]
}

/**
 * Returns an order of the file with the members that it doesn't name: first the stored ones in their order, then new
 * ones.
 */
export function wholeOrder(order: Loose, before: Loose | null, expected: Expected): Loose {
  const namedCodes = order.order as string[]
  const [kind, type, within] = (order.of as string).split('/')
  const members = (section: Section, matches: (object: Loose) => boolean) =>
    (expected[section] as Loose[]).filter(matches).map(({ code }) => code as string)
  const membersOf = new Map([
    ['applications', () => members('applications', () => true)],
    ['authenticationSchemas', () => members('authenticationSchemas', ({ code }) => code !== 'base')],
    ['fieldTabs', () => members('fieldTabs', (object) => object.type === type)],
    ['fieldBlocks', () => members('fieldBlocks', (object) => object.type === type && object.tab === within)],
    ['fields', () => members('fields', (object) => object.type === type && object.block === within)],
  ])
  const memberCodes = membersOf.get(kind ?? '')?.() ?? []
  const storedCodes = ((before?.order ?? []) as string[]).filter((code) => memberCodes.includes(code))
  return { ...order, order: [...new Set([...namedCodes, ...storedCodes, ...memberCodes])] }
}

/** Saves an order of the file, unless it is stored already. Returns whether it saved. */
export async function writeOrder({ ctx }: Writing, { of, order }: Configured<'orders'>, current: Current) {
  const storedOrder = current.content.orders.find((listed) => listed.of === of)
  if (!storedOrder) throw fieldError('of', 'errorConfigurationReference', { name: of })
  const unknownIndex = order.findIndex((code) => !storedOrder.order.includes(code))
  if (unknownIndex >= 0)
    throw fieldError(`order.${unknownIndex}`, 'errorConfigurationReference', { name: order[unknownIndex] as string })
  if (order.join() === storedOrder.order.join()) return false
  const positions = (idFor: (code: string) => string) =>
    order.map((code, position) => ({ id: idFor(code), order: position }))
  const [kind, type = '', block = ''] = of.split('/')
  if (kind === 'applications') {
    const ids = idsByName(current.names.applications)
    const body = bodyOf(applicationCalls.orderApplications, { order: positions((code) => ids.get(code) as string) })
    await applications.orderApplications(ctx, { body })
    return true
  }
  if (kind === 'authenticationSchemas') {
    const ids = idsByName(current.names.schemas)
    const priority = order.map((code, position) => ({ id: ids.get(code) as string, priority: position }))
    const body = bodyOf(schemaCalls.orderAuthenticationSchemas, { priority })
    await schemas.orderAuthenticationSchemas(ctx, { body })
    return true
  }
  if (kind === 'fieldTabs') {
    const body = bodyOf(fieldCalls.orderFieldTabs, { order: positions((code) => code) })
    await fields.orderFieldTabs(ctx, { params: { type }, body })
    return true
  }
  if (kind === 'fieldBlocks') {
    await blocks.orderSubtypes(ctx, { params: { type, tab: block }, body: { order } })
    return true
  }
  // the endpoint orders all fields of a tab: fields of the other blocks keep their order
  const tab = current.content.fieldBlocks.find((listed) => listed.type === type && listed.code === block)?.tab ?? ''
  const inTab = current.content.fieldBlocks.filter((listed) => listed.type === type && listed.tab === tab)
  const codes = inTab.flatMap(({ code }) =>
    code === block
      ? order
      : (current.content.orders.find((listed) => listed.of === `fields/${type}/${code}`)?.order ?? []),
  )
  const ids = codes.map((code) => current.stored.fields.get(`${type}/${code}`)?.id as string)
  const body = bodyOf(fieldCalls.orderFields, { order: ids.map((id, position) => ({ id, order: position })) })
  await fields.orderFields(ctx, { params: { type, tab }, body })
  return true
}
