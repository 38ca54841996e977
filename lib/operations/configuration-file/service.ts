import { isDeepStrictEqual } from 'node:util'
import { db } from '@/db/client'
import { joining } from '@/db/scope'
import { lockAdministrators } from '@/lib/access/rights/administrators'
import { withMaskedTechnical } from '@/lib/applications/applications/details'
import type { Area } from '@/lib/base/access/access-methods'
import { auditEvent } from '@/lib/base/audit/audit'
import { dropAllCached } from '@/lib/base/cache/cache'
import { methodsHeld, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { digest } from '@/lib/base/crypto/encryption'
import { AppError } from '@/lib/base/runtime/errors'
import { drawImported } from '@/lib/documents/documents/administer'
import { DocumentContent } from '@/lib/documents/documents/contract'
import type { DrawnTexts } from '@/lib/documents/documents/drawing'
import { withMaskedAddress, withMaskedAddresses, withOpenAddress } from './addresses'
import { applyPlan } from './apply'
import type * as calls from './contract'
import { configurationEntity } from './entity'
import {
  type ConfigurationFile,
  type Content,
  formatName,
  formatVersion,
  keyOf,
  parseConfiguration,
  type Section,
  sections,
  textOf,
} from './format'
import { withoutOthersSecrets } from './others-secrets'
import { changesOf, missed, type Plan, planOf } from './plan'
import { lockImports } from './queries'
import { readConfiguration } from './read'
import { openedWith, sealedWith } from './sealing'
import { writingOf } from './writing'

/** The areas on whose screens people see what a section has: whoever may not read one of them gets no such section. */
const areasOf: Record<Exclude<Section, 'orders'>, readonly Area[]> = {
  locales: ['libraries'],
  deviceTypes: ['device-types'],
  networkAliases: ['network-aliases'],
  accessLists: ['access-lists'],
  documents: ['libraries'],
  banners: ['libraries'],
  // words of mails and SMS are those of the libraries
  domains: ['domains', 'libraries'],
  applications: ['applications'],
  clients: ['applications'],
  webhooks: ['applications'],
  roles: ['roles'],
  authenticationSchemas: ['authentication-schemas'],
  fieldTabs: ['dynamic-fields'],
  fieldBlocks: ['dynamic-fields'],
  fields: ['dynamic-fields'],
  providers: ['providers'],
  settings: ['settings'],
  notifyMethods: ['settings'],
  exchanges: ['integration'],
}

const sees = (codes: ReadonlySet<string>, section: Section, of = ''): boolean => {
  const own = section === 'orders' ? (of.split('/')[0] as keyof typeof areasOf) : section
  // what there is none of is refused when it is written
  return !Object.hasOwn(areasOf, own) || areasOf[own].every((area) => codes.has(`${area}.read`))
}

/** Returns what of a configuration the caller sees on the screens. */
function seen(ctx: Ctx, content: Content): Partial<Content> {
  const { codes } = methodsHeld(ctx)
  const orders = content.orders.filter(({ of }) => sees(codes, 'orders', of))
  return Object.fromEntries(
    sections.flatMap((section): [string, unknown][] => {
      if (section === 'orders') return orders.length > 0 ? [['orders', orders]] : []
      return sees(codes, section) ? [[section, content[section]]] : []
    }),
  )
}

/** Throws 403 forbiddenConfiguration for sections that the caller doesn't see: the difference would show them. */
function requireSight(ctx: Ctx, content: Partial<Content>) {
  const { codes } = methodsHeld(ctx)
  const hidden = sections.filter((section) =>
    section === 'orders'
      ? content.orders?.some(({ of }) => !sees(codes, 'orders', of))
      : content[section] && !sees(codes, section),
  )
  if (hidden.length > 0)
    throw new AppError(403, 'forbiddenConfiguration', {
      errorList: hidden.map((field) => ({ field, code: 'errorConfigurationHidden' })),
    })
}

const snapshot = { isolationLevel: 'repeatable read' } as const

/**
 * Returns what the caller sees of the configuration as text; with a passphrase also the secrets that they may read where
 * these are, sealed, which the history records. Needs settings.read, with secrets settings.write
 * (docs/rules/administration-screens.md#configuration).
 */
export async function configurationText(ctx: Ctx, passphrase?: string): Promise<string> {
  requireMethod(ctx, passphrase ? 'settings.write' : 'settings.read')
  const sealed = passphrase === undefined ? null : await sealedWith(passphrase)
  // everything as it is at one moment
  const content = await db().transaction(async (tx) => {
    const { result } = await joining(async () => {
      const read = await readConfiguration(sealed?.seal ?? null)
      return sealed ? withoutOthersSecrets(ctx, read, 'read') : read.content
    })
    if (sealed) await auditEvent(tx, ctx, configurationEntity, 'configuration', 'update', { secretsExported: true })
    return result
  }, snapshot)
  content.webhooks = content.webhooks.map(withMaskedAddress)
  if (!sealed) {
    content.clients = content.clients.map(withMaskedAddresses)
    content.applications = content.applications.map(withMaskedTechnical)
  }
  const secrets = sealed?.header ?? 'omitted'
  return textOf({ format: formatName, version: formatVersion, secrets, content: seen(ctx, content) })
}

/** Opens the secrets of a file. */
async function opened(
  { secrets, content }: ConfigurationFile,
  passphrase: string | undefined,
): Promise<Partial<Content>> {
  const open = secrets === 'omitted' ? null : await openedWith(secrets, passphrase)
  const plain = <T extends { secret: string | null }>(list: T[] | undefined, placeOf: (one: T) => string) =>
    list?.map((one) => {
      if (one.secret === null) return one
      if (!open)
        throw new AppError(400, 'configurationRefused', {
          errorList: [{ field: `${placeOf(one)}.secret`, code: 'errorConfigurationSecret' }],
        })
      return { ...one, secret: open(one.secret, placeOf(one)) }
    })
  const found = {
    clients: plain(content.clients, ({ clientId }) => `clients[${clientId}]`),
    webhooks: plain(content.webhooks, (one) => `webhooks[${keyOf('webhooks', one)}]`)?.map(withOpenAddress),
    providers: plain(content.providers, ({ name }) => `providers[${name}]`),
    exchanges: plain(content.exchanges, ({ key }) => `exchanges[${key}]`),
  }
  return { ...content, ...Object.fromEntries(Object.entries(found).filter(([, list]) => list)) }
}

/** Draws the texts of the documents of a file: nobody waits for it at the locks of an import. */
async function drawnBefore(ctx: Ctx, { documents = [] }: Partial<Content>): Promise<DrawnTexts> {
  // without the method nothing is written
  if (!sees(methodsHeld(ctx).codes, 'documents', 'write')) return new Map()
  const given = documents.map(({ code, format, texts }) => ({
    code,
    format,
    // what a call wouldn't take is refused when it is written
    contents: texts.map(({ content }) => DocumentContent.safeParse(content.join('\n')).data ?? null),
  }))
  try {
    return await drawImported(ctx, given)
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 400) throw error
    throw new AppError(400, 'configurationRefused', error.data)
  }
}

/** Ends the transaction of a dry run: all that it did is undone. */
class DryRun extends Error {
  constructor(readonly outcome: calls.Outcome) {
    super('a dry run changes nothing')
  }
}

/** What PostgreSQL says of two transactions that wait for each other: one of them had better try again. */
const isDeadlock = (error: unknown, depth = 0): boolean => {
  if (typeof error !== 'object' || error === null || depth > 4) return false
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return code === '40P01' || isDeadlock(cause, depth + 1)
}

const inSecret = (seal: string) => seal

/** What was written isn't what the file has, at these places; `current` is what was stored before. */
class Missed extends Error {
  constructor(
    readonly places: readonly string[],
    readonly current: Content,
  ) {
    super()
  }
}

export type Import = {
  text: string
  passphrase?: string | undefined
  prune: boolean
  dry: boolean
  /** The version of the difference that was shown. */
  version?: string | undefined
}

function summaryOf(plan: Plan, text: string, prune: boolean) {
  const count = (kind: string) => changesOf(plan).filter((change) => change.kind === kind).length
  return { digest: digest(text), prune, created: count('create'), changed: count('update'), deleted: count('delete') }
}

/**
 * Imports a file in one transaction through the verbs that administrators use, or with `dry` only says what it would do:
 * it does all of it and undoes it. Returns the differences. Needs settings.write, to see all of the configuration, and what
 * each change needs. Throws 400 configurationRefused and 403 forbiddenConfiguration by object and field, and 409 if what is
 * stored or the file isn't what `version` was made of, or if somebody has saved something meanwhile
 * (docs/rules/administration-screens.md#configuration).
 */
export async function importText(ctx: Ctx, { text, passphrase, prune, dry, version }: Import): Promise<calls.Outcome> {
  requireMethod(ctx, 'settings.write')
  const file = parseConfiguration(text)
  requireSight(ctx, file.content)
  const content = await opened(file, passphrase)
  // secrets are compared as they are, but for those that are closed to the caller; they leave this function only masked
  const reading = async () => {
    const current = await readConfiguration(file.secrets === 'omitted' ? null : inSecret)
    const content = await withoutOthersSecrets(ctx, current, 'compare')
    return { ...current, content: { ...content, webhooks: content.webhooks.map(withOpenAddress) } }
  }
  const drawn = await drawnBefore(ctx, content)
  let afterCommit: (() => Promise<void>) | undefined
  try {
    return await db().transaction(async (tx) => {
      await lockImports(tx)
      await lockAdministrators(tx)
      const done = await joining(async () => {
        const current = await reading()
        const now = digest(JSON.stringify([current.content, text, prune]))
        if (version !== undefined && version !== now) throw new AppError(409)
        const plan = planOf(current, content, prune)
        const outcome: calls.Outcome = { changes: changesOf(plan), notes: [], version: now }
        if (plan.steps.length === 0) return outcome
        const writing = writingOf(ctx, current, drawn)
        await applyPlan(writing, plan, reading)
        const places = missed(plan, await reading())
        if (places.length > 0) throw new Missed(places, current.content)
        await auditEvent(tx, ctx, configurationEntity, 'configuration', 'update', {
          imported: summaryOf(plan, text, prune),
        })
        return { ...outcome, notes: writing.notes }
      })
      if (dry) throw new DryRun(done.result)
      afterCommit = done.afterCommit
      return done.result
    })
  } catch (error) {
    if (error instanceof DryRun) return error.outcome
    if (isDeadlock(error)) throw new AppError(409)
    if (!(error instanceof Missed)) throw error
    if (!isDeepStrictEqual((await reading()).content, error.current)) throw new AppError(409)
    throw new AppError(400, 'configurationRefused', {
      errorList: error.places.slice(0, 100).map((field) => ({ field, code: 'errorConfigurationMissed' })),
    })
  } finally {
    if (afterCommit) {
      dropAllCached()
      await afterCommit()
    }
  }
}

const fileOf = (name: string, text: string) => ({
  name,
  type: 'application/json' as const,
  size: Buffer.byteLength(text),
  chunks: (async function* () {
    yield text
  })(),
})

/** Returns the configuration as a file without secrets. Needs and throws what `configurationText` does. */
export const exportConfiguration = async (ctx: Ctx) => fileOf('configuration.json', await configurationText(ctx))

/** Returns it with secrets, sealed with a passphrase, as text. Needs and throws what `configurationText` does. */
export const exportSealedConfiguration = async (
  ctx: Ctx,
  { body: { passphrase } }: ServiceInput<typeof calls.exportSealedConfiguration>,
) => {
  requireMethod(ctx, 'settings.write')
  return { configuration: await configurationText(ctx, passphrase) }
}

const textIn = async ({ file }: { file: { bytes(): Promise<Buffer> } }) =>
  new TextDecoder('utf-8', { ignoreBOM: false }).decode(await file.bytes())

/** Returns what an import would do. Needs and throws what `importText` does. */
export async function compareConfiguration(ctx: Ctx, { body }: ServiceInput<typeof calls.compareConfiguration>) {
  const { passphrase, prune } = body
  requireMethod(ctx, 'settings.write')
  return importText(ctx, { text: await textIn(body), passphrase, prune: prune === 'true', dry: true })
}

/** Imports a file. Needs and throws what `importText` does. */
export async function importConfiguration(ctx: Ctx, { body }: ServiceInput<typeof calls.importConfiguration>) {
  const { passphrase, prune, version } = body
  requireMethod(ctx, 'settings.write')
  return importText(ctx, { text: await textIn(body), passphrase, prune: prune === 'true', version, dry: false })
}

/** Returns whether the caller sees all of the configuration, as an export has only what they see. */
export function seesWholeConfiguration(ctx: Ctx): boolean {
  const { codes } = methodsHeld(ctx)
  return sections.every((section) => section === 'orders' || sees(codes, section))
}
