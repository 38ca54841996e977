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
import { type Part, settle } from './settle'
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

/** How an object of each section is written. Settings are written together, orders last. */
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

/** Returns the value of a setting as the call takes it; one that the file hasn't got gets its default. */
function wireOf(writing: Writing, id: SettingId, given: unknown, current: { users: string[] }) {
  const { type, default: preset } = definitions[id] as { type: Parameters<typeof toWire>[0]; default: unknown }
  const value = given === undefined ? preset : given
  const named = (kind: 'roles' | 'networkAliases', names: unknown) => {
    if (kind === 'roles') return idOf(writing, kind, String(names ?? 'user'), 'value')
    if (!Array.isArray(names)) throw fieldError('value', 'errorFormat')
    return idsOf(writing, kind, names.map(String), 'value')
  }
  if (type === 'role') return { value_props: { value: named('roles', value) } }
  if (type === 'networkAliases') return { value_props: { value: named('networkAliases', value) } }
  if (type === 'recipients') {
    const { emails = [], ...unknown } = (value ?? {}) as { emails?: unknown; users?: unknown }
    if (Object.keys(unknown).some((name) => given !== undefined || name !== 'users'))
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

/** Saves all settings that differ at once: they must agree with one another. */
async function writeSettings(writing: Writing, steps: readonly Step[]) {
  for (const scope of ['platform', 'users'] as const) {
    const ids = settingCalls.modulesOf(scope).flatMap((module) => module.settings.map(({ id }) => id as string))
    const own = steps.filter(({ key }) => ids.includes(key))
    if (own.length === 0) continue
    const sent: Record<string, unknown> = {}
    for (const { section, key, after } of own)
      await atObject(placeOf({ section, key }), async () => {
        const one = after as Configured<'settings'> | null
        sent[key] = wireOf(
          writing,
          key as SettingId,
          one?.value,
          (await platformSettings()).accessRequestsNotifyRecipients,
        )
      })
    const save = scope === 'platform' ? settings.savePlatformSettings : settings.saveUsersSettings
    const { body } = scope === 'platform' ? settingCalls.savePlatformSettings : settingCalls.saveUsersSettings
    await atObject('settings', () => save(writing.ctx, { body: bodyOf({ body: body as never }, sent) as never }))
  }
  const unknown = steps.find(({ key }) => !Object.hasOwn(definitions, key))
  if (unknown) await atObject(placeOf(unknown), () => Promise.reject(fieldError('setting', 'errorUnknownField')))
}

/** Saves an order that the file gives, unless it stands already. Returns whether it did. */
async function writeOrder({ ctx }: Writing, { of, order }: Configured<'orders'>, now: Current) {
  const stands = now.content.orders.find((one) => one.of === of)
  if (!stands) throw fieldError('of', 'errorConfigurationReference', { name: of })
  const at = order.findIndex((code) => !stands.order.includes(code))
  if (at >= 0) throw fieldError(`order.${at}`, 'errorConfigurationReference', { name: order[at] as string })
  if (order.join() === stands.order.join()) return false
  const placed = (idFor: (code: string) => string) => order.map((code, place) => ({ id: idFor(code), order: place }))
  const [kind, type = '', block = ''] = of.split('/')
  if (kind === 'applications') {
    const ids = new Map([...now.names.applications].map(([id, code]) => [code, id]))
    const body = bodyOf(applicationCalls.orderApplications, { order: placed((code) => ids.get(code) as string) })
    await applications.orderApplications(ctx, { body })
    return true
  }
  if (kind === 'authenticationSchemas') {
    const ids = new Map([...now.names.schemas].map(([id, code]) => [code, id]))
    const priority = order.map((code, place) => ({ id: ids.get(code) as string, priority: place }))
    const body = bodyOf(schemaCalls.orderAuthenticationSchemas, { priority })
    await schemas.orderAuthenticationSchemas(ctx, { body })
    return true
  }
  if (kind === 'fieldTabs') {
    const body = bodyOf(fieldCalls.orderFieldTabs, { order: placed((code) => code) })
    await fields.orderFieldTabs(ctx, { params: { type }, body })
    return true
  }
  if (kind === 'fieldBlocks') {
    await blocks.orderSubtypes(ctx, { params: { type, tab: block }, body: { order } })
    return true
  }
  // the call orders all fields of a tab: those of the other blocks keep their order
  const tab = now.content.fieldBlocks.find((one) => one.type === type && one.code === block)?.tab ?? ''
  const inTab = now.content.fieldBlocks.filter((one) => one.type === type && one.tab === tab)
  const all = inTab.flatMap(({ code }) =>
    code === block ? order : (now.content.orders.find((one) => one.of === `fields/${type}/${code}`)?.order ?? []),
  )
  const ids = all.map((code) => now.stored.fields.get(`${type}/${code}`)?.id as string)
  const body = bodyOf(fieldCalls.orderFields, { order: ids.map((id, place) => ({ id, order: place })) })
  await fields.orderFields(ctx, { params: { type, tab }, body })
  return true
}

/** All parts of a plan but its orders, in the order in which most of them find what they need. */
function partsOf(writing: Writing, plan: Plan): Part[] {
  const of = (section: Section) => plan.steps.filter((step) => step.section === section)
  const parts = (section: Section, gone: boolean): Part[] => {
    if (section === 'orders' || section === 'settings') return []
    const steps = of(section).filter(({ after }) => (after === null) === gone)
    return writers[section].flatMap((writer) =>
      steps.map((step) => {
        const object = placeOf(step)
        return { object, work: () => atObject(object, () => writer(writing, step as never)) }
      }),
    )
  }
  const settingSteps = of('settings')
  const saved = { object: 'settings', work: () => writeSettings(writing, settingSteps) }
  const hidden = of('locales').length > 0 ? writing.current.hidden : []
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
      section === 'settings' && settingSteps.length > 0 ? [saved] : parts(section, false),
    ),
    ...sections.toReversed().flatMap((section) => parts(section, true)),
  ]
}

/**
 * Writes a plan through the verbs of the calls that administrators make, so that every rule of saving holds. `again` reads
 * what is stored meanwhile. Throws 400 configurationRefused and 403 forbiddenConfiguration with the object and the field.
 */
export async function applyPlan(writing: Writing, plan: Plan, again: () => Promise<Current>) {
  await settle(writing, partsOf(writing, plan))
  let now = await again()
  for (const given of plan.expected.orders) {
    const wrote = await atObject(placeOf({ section: 'orders', key: given.of }), () => writeOrder(writing, given, now))
    if (wrote) now = await again()
  }
}
