import * as applicationCalls from '@/lib/applications/applications/contract'
import * as applications from '@/lib/applications/applications/manage'
import { fieldError } from '@/lib/base/runtime/errors'
import * as fieldCalls from '@/lib/fields/dynamic-fields/contract'
import * as fields from '@/lib/fields/dynamic-fields/service'
import * as blocks from '@/lib/fields/dynamic-fields/subtypes'
import * as schemaCalls from '@/lib/sign-in/schema-administration/contract'
import * as schemas from '@/lib/sign-in/schema-administration/service'
import { definitions, type SettingId } from '@/lib/site/settings/definitions'
import { platformSettings } from '@/lib/site/settings/service'
import { toWire } from '@/lib/site/settings/wire'
import * as settingCalls from '../settings-screen/contract'
import * as settings from '../settings-screen/save'
import { type Configured, type Section, sections } from './format'
import type { Plan, Step } from './plan'
import type { Current } from './read'
import { type Part, runParts } from './settle'
import {
  releaseAddress,
  releasingAddresses,
  removeMethods,
  writeApplication,
  writeApplicationTies,
  writeClient,
  writeRole,
  writeSchema,
  writeWebhook,
} from './write-applications'
import { writeBlock, writeExchange, writeField, writeNotifyMethod, writeProvider, writeTab } from './write-people'
import {
  releaseDomain,
  releasingDomains,
  removeHidden,
  writeAccessEntry,
  writeBanner,
  writeDeviceType,
  writeDocument,
  writeDomain,
  writeLocale,
  writeNetworkAlias,
  writeSources,
} from './write-platform'
import { atObject, bodyOf, idOf, idsOf, type Writer, type Writing } from './writing'

/** The functions that write an object of each section. Settings are written all at once, and orders last. */
const writers: { [S in Exclude<Section, 'settings' | 'orders'>]: Writer<S>[] } = {
  locales: [writeLocale],
  deviceTypes: [writeDeviceType],
  networkAliases: [writeNetworkAlias],
  accessLists: [writeAccessEntry],
  documents: [writeDocument],
  banners: [writeBanner],
  domains: [writeDomain, writeSources],
  applications: [writeApplication, writeApplicationTies, removeMethods],
  clients: [writeClient],
  webhooks: [writeWebhook],
  roles: [writeRole],
  authenticationSchemas: [writeSchema],
  fieldTabs: [writeTab],
  fieldBlocks: [writeBlock],
  fields: [writeField],
  providers: [writeProvider],
  notifyMethods: [writeNotifyMethod],
  exchanges: [writeExchange],
}

const placeOf = ({ section, key }: Pick<Step, 'section' | 'key'>) => `${section}[${key}]`

/** Returns the value of a setting as its endpoint takes it; a setting that isn't in the file gets its default. */
function wireOf(writing: Writing, id: SettingId, fileValue: unknown, current: { users: string[] }) {
  const { type, default: defaultValue } = definitions[id] as { type: Parameters<typeof toWire>[0]; default: unknown }
  const value = fileValue === undefined ? defaultValue : fileValue
  const idsByName = (kind: 'roles' | 'networkAliases', names: unknown) => {
    if (kind === 'roles') return idOf(writing, kind, String(names ?? 'user'), 'value')
    if (!Array.isArray(names)) throw fieldError('value', 'errorFormat')
    return idsOf(writing, kind, names.map(String), 'value')
  }
  if (type === 'role') return { value_props: { value: idsByName('roles', value) } }
  if (type === 'networkAliases') return { value_props: { value: idsByName('networkAliases', value) } }
  if (type === 'recipients') {
    const { emails = [], ...unknown } = (value ?? {}) as { emails?: unknown; users?: unknown }
    if (Object.keys(unknown).some((name) => fileValue !== undefined || name !== 'users'))
      throw fieldError('value', 'errorUnknownField')
    return { value_props: { users: current.users, emails } }
  }
  if (type === 'duration' && (typeof value !== 'object' || value === null)) throw fieldError('value', 'errorFormat')
  const { value: plain, value_props: props } = toWire(type, value)
  return {
    ...(props === null
      ? { value: plain }
      : type === 'duration'
        ? { value: plain, value_props: props }
        : { value_props: props }),
  }
}

/** Saves all changed settings at once, as they must agree with one another. */
async function writeSettings(writing: Writing, steps: readonly Step[]) {
  for (const scope of ['platform', 'users'] as const) {
    const ids = settingCalls.modulesOf(scope).flatMap((module) => module.settings.map(({ id }) => id as string))
    const settingSteps = steps.filter(({ key }) => ids.includes(key))
    if (settingSteps.length === 0) continue
    const values: Record<string, unknown> = {}
    for (const { section, key, after } of settingSteps)
      await atObject(placeOf({ section, key }), async () => {
        const setting = after as Configured<'settings'> | null
        values[key] = wireOf(
          writing,
          key as SettingId,
          setting?.value,
          (await platformSettings()).accessRequestsNotifyRecipients,
        )
      })
    const save = scope === 'platform' ? settings.savePlatformSettings : settings.saveUsersSettings
    const { body } = scope === 'platform' ? settingCalls.savePlatformSettings : settingCalls.saveUsersSettings
    await atObject('settings', () => save(writing.ctx, { body: bodyOf({ body: body as never }, values) as never }))
  }
  const unknown = steps.find(({ key }) => !Object.hasOwn(definitions, key))
  if (unknown) await atObject(placeOf(unknown), () => Promise.reject(fieldError('setting', 'errorUnknownField')))
}

/** Saves an order of the file, unless it is stored already. Returns whether it saved. */
async function writeOrder({ ctx }: Writing, { of, order }: Configured<'orders'>, current: Current) {
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
    const ids = new Map([...current.names.applications].map(([id, code]) => [code, id]))
    const body = bodyOf(applicationCalls.orderApplications, { order: positions((code) => ids.get(code) as string) })
    await applications.orderApplications(ctx, { body })
    return true
  }
  if (kind === 'authenticationSchemas') {
    const ids = new Map([...current.names.schemas].map(([id, code]) => [code, id]))
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

/** Returns all parts of a plan but its orders, in the sequence in which most of them find what they refer to. */
function partsOf(writing: Writing, plan: Plan): Part[] {
  const stepsOf = (section: Section) => plan.steps.filter((step) => step.section === section)
  const parts = (section: Section, deleting: boolean): Part[] => {
    if (section === 'orders' || section === 'settings') return []
    const steps = stepsOf(section).filter(({ after }) => (after === null) === deleting)
    return writers[section].flatMap((writer) =>
      steps.map((step) => {
        const object = placeOf(step)
        return { object, work: () => atObject(object, () => writer(writing, step as never)) }
      }),
    )
  }
  const settingSteps = stepsOf('settings')
  const settingsPart = { object: 'settings', work: () => writeSettings(writing, settingSteps) }
  const hidden = stepsOf('locales').length > 0 ? writing.current.hidden : []
  return [
    ...hidden.map((texts): Part => ({ object: 'hidden', work: () => removeHidden(writing, texts) })),
    ...releasingDomains(plan).map((step): Part => {
      const object = `${placeOf(step)} released`
      return { object, work: () => atObject(placeOf(step), () => releaseDomain(writing, plan, step)) }
    }),
    ...releasingAddresses(plan).map((step): Part => {
      const object = `${placeOf(step)} released`
      return { object, work: () => atObject(placeOf(step), () => releaseAddress(writing, step)) }
    }),
    ...sections.flatMap((section) =>
      section === 'settings' && settingSteps.length > 0 ? [settingsPart] : parts(section, false),
    ),
    ...sections.toReversed().flatMap((section) => parts(section, true)),
  ]
}

/**
 * Writes a plan through the service functions that administrators' calls use, so that every rule of saving holds.
 * `again` reads the stored configuration anew. Throws 400 configurationRefused and 403 forbiddenConfiguration with the
 * object and the field.
 */
export async function applyPlan(writing: Writing, plan: Plan, again: () => Promise<Current>) {
  await runParts(writing, partsOf(writing, plan))
  let current = await again()
  for (const order of plan.expected.orders) {
    const saved = await atObject(placeOf({ section: 'orders', key: order.of }), () =>
      writeOrder(writing, order, current),
    )
    if (saved) current = await again()
  }
}
