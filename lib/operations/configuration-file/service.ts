import { isDeepStrictEqual } from 'node:util'
import { db } from '@/db/client'
import { joining } from '@/db/scope'
import { lockAdministrators } from '@/lib/access/rights/last-administrator'
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
import { withDecryptedAddress, withMaskedAddresses } from './addresses'
import { applyPlan } from './apply'
import type * as calls from './contract'
import { configurationEntity } from './entity'
import { type ConfigurationFile, formatName, formatVersion, parseConfiguration, textOf } from './format'
import { withoutOthersSecrets } from './others-secrets'
import { changesOf, mismatches, type Plan, planOf } from './plan'
import { lockImports } from './queries'
import { readConfiguration } from './read'
import { decryptionWith, encryptionWith } from './sealing'
import { areasOf, type Configured, type Content, keyOf, placeOf, type Section, sections } from './sections'
import { writingOf } from './writing'

/** Whether the caller sees a section; of orders those of this list. */
const sees = (codes: ReadonlySet<string>, section: Section, listName = ''): boolean =>
  // an unknown list is refused when it is written
  areasOf(section === 'orders' ? (listName.split('/')[0] ?? '') : section).every((area) => codes.has(`${area}.read`))

/** Returns the part of a configuration that the caller sees on the screens. */
function visibleContent(ctx: Ctx, content: Content): Partial<Content> {
  const { codes } = methodsHeld(ctx)
  const orders = content.orders.filter(({ of: listName }) => sees(codes, 'orders', listName))
  return Object.fromEntries(
    sections.flatMap((section): [string, unknown][] => {
      if (section === 'orders') return orders.length > 0 ? [['orders', orders]] : []
      return sees(codes, section) ? [[section, content[section]]] : []
    }),
  )
}

/** Throws 403 forbiddenConfiguration for sections that the caller doesn't see, as the difference would show them. */
function requireVisible(ctx: Ctx, content: Partial<Content>) {
  const { codes } = methodsHeld(ctx)
  const hiddenSections = sections.filter((section) =>
    section === 'orders'
      ? content.orders?.some(({ of: listName }) => !sees(codes, 'orders', listName))
      : content[section] && !sees(codes, section),
  )
  if (hiddenSections.length > 0)
    throw new AppError(403, 'forbiddenConfiguration', {
      errorList: hiddenSections.map((field) => ({ field, code: 'errorConfigurationHidden' })),
    })
}

const snapshot = { isolationLevel: 'repeatable read' } as const

/**
 * Returns what the caller sees of the configuration as text; with a passphrase also those secrets, encrypted, that the
 * caller may read on their screens, which makes an audit event. Needs settings.read, with secrets settings.write
 * (docs/rules/administration-screens.md#configuration).
 */
export async function configurationText(ctx: Ctx, passphrase?: string): Promise<string> {
  requireMethod(ctx, passphrase ? 'settings.write' : 'settings.read')
  const encryption = passphrase === undefined ? null : await encryptionWith(passphrase)
  // a consistent state: one snapshot for all reads
  const content = await db().transaction(async (tx) => {
    const { result } = await joining(async () => {
      const configuration = await readConfiguration(encryption?.seal ?? null)
      return encryption ? withoutOthersSecrets(ctx, configuration, 'read') : configuration.content
    })
    if (encryption) await auditEvent(tx, ctx, configurationEntity, 'configuration', 'update', { secretsExported: true })
    return result
  }, snapshot)
  const secrets = encryption?.header ?? 'omitted'
  // with secrets, the address of a webhook is in its secret
  for (const section of encryption ? (['webhooks'] as const) : sections)
    Object.assign(content, { [section]: content[section].map((object) => withMaskedAddresses(section, object)) })
  return textOf({ format: formatName, version: formatVersion, secrets, content: visibleContent(ctx, content) })
}

/** Decrypts the secrets of a file. */
async function decryptedContent(
  { secrets, content }: ConfigurationFile,
  passphrase: string | undefined,
): Promise<Partial<Content>> {
  const decryptSecret = secrets === 'omitted' ? null : await decryptionWith(secrets, passphrase)
  const plain = <S extends Section>(section: S, object: Configured<S>) => {
    if (!('secret' in object) || object.secret === null) return object
    const place = placeOf({ section, key: keyOf(section, object) })
    if (!decryptSecret)
      throw new AppError(400, 'configurationRefused', {
        errorList: [{ field: `${place}.secret`, code: 'errorConfigurationSecret' }],
      })
    return { ...object, secret: decryptSecret(object.secret, place) }
  }
  const decrypted = Object.fromEntries(
    sections.flatMap((section) => {
      const objects = content[section] as Configured<Section>[] | undefined
      return objects ? [[section, objects.map((object) => plain(section, object))]] : []
    }),
  ) as Partial<Content>
  return { ...decrypted, ...(decrypted.webhooks && { webhooks: decrypted.webhooks.map(withDecryptedAddress) }) }
}

/**
 * Draws the texts of a file's documents before the transaction, so that nobody waits for this at the locks of an
 * import.
 */
async function drawDocuments(ctx: Ctx, { documents = [] }: Partial<Content>): Promise<DrawnTexts> {
  // without the method, nothing is written
  if (!sees(methodsHeld(ctx).codes, 'documents', 'write')) return new Map()
  const imported = documents.map(({ code, format, texts }) => ({
    code,
    format,
    // a content that an endpoint wouldn't take is refused when it is written
    contents: texts.map(({ content }) => DocumentContent.safeParse(content.join('\n')).data ?? null),
  }))
  try {
    return await drawImported(ctx, imported)
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 400) throw error
    throw new AppError(400, 'configurationRefused', error.data)
  }
}

/** Ends the transaction of a dry run, so that all its changes are undone. */
class DryRun extends Error {
  constructor(readonly outcome: calls.Outcome) {
    super('a dry run changes nothing')
  }
}

/** Whether PostgreSQL reports a deadlock: two transactions that wait for each other. One of them has to try again. */
const isDeadlock = (error: unknown, depth = 0): boolean => {
  if (typeof error !== 'object' || error === null || depth > 4) return false
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return code === '40P01' || isDeadlock(cause, depth + 1)
}

const unencrypted = (secret: string) => secret

/** After the import, these places differ from the file; `current` is the configuration before it. */
class Mismatch extends Error {
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
  /** The version of the difference that the caller saw. */
  version?: string | undefined
}

function summaryOf(plan: Plan, text: string, prune: boolean) {
  const count = (kind: string) => changesOf(plan).filter((change) => change.kind === kind).length
  return { digest: digest(text), prune, created: count('create'), changed: count('update'), deleted: count('delete') }
}

/**
 * Imports a file in one transaction through the service functions that administrators use; with `dry` it does the same
 * and undoes it. Returns the differences. Needs settings.write, to see all of the configuration, and what each change
 * needs. Throws 400 configurationRefused and 403 forbiddenConfiguration by object and field, and 409 if the stored
 * configuration or the file isn't the one that `version` was made of, or if somebody saved during the import
 * (docs/rules/administration-screens.md#configuration).
 */
export async function importText(ctx: Ctx, { text, passphrase, prune, dry, version }: Import): Promise<calls.Outcome> {
  requireMethod(ctx, 'settings.write')
  const file = parseConfiguration(text)
  requireVisible(ctx, file.content)
  const content = await decryptedContent(file, passphrase)
  // secrets are compared unmasked, except those that the caller may not see; this function returns them only masked
  const readCurrent = async (reader: Ctx = ctx) => {
    const current = await readConfiguration(file.secrets === 'omitted' ? null : unencrypted)
    const content = await withoutOthersSecrets(reader, current, 'compare')
    return { ...current, content: { ...content, webhooks: content.webhooks.map(withDecryptedAddress) } }
  }
  const drawn = await drawDocuments(ctx, content)
  let afterCommit: (() => Promise<void>) | undefined
  try {
    return await db().transaction(async (tx) => {
      await lockImports(tx)
      await lockAdministrators(tx)
      const joined = await joining(async () => {
        const current = await readCurrent()
        const currentVersion = digest(JSON.stringify([current.content, text, prune]))
        if (version !== undefined && version !== currentVersion) throw new AppError(409)
        const plan = planOf(current, content, prune)
        const outcome: calls.Outcome = { changes: changesOf(plan), notes: [], version: currentVersion }
        if (plan.steps.length === 0) return outcome
        const writing = writingOf(ctx, current, drawn)
        // whoever holds every method holds those that the import created, too
        const readWritten = () => readCurrent(writing.ctx)
        await applyPlan(writing, plan, readWritten)
        const places = mismatches(plan, await readWritten())
        if (places.length > 0) throw new Mismatch(places, current.content)
        await auditEvent(tx, ctx, configurationEntity, 'configuration', 'update', {
          imported: summaryOf(plan, text, prune),
        })
        return { ...outcome, notes: writing.notes }
      })
      if (dry) throw new DryRun(joined.result)
      afterCommit = joined.afterCommit
      return joined.result
    })
  } catch (error) {
    if (error instanceof DryRun) return error.outcome
    if (isDeadlock(error)) throw new AppError(409)
    if (!(error instanceof Mismatch)) throw error
    if (!isDeepStrictEqual((await readCurrent()).content, error.current)) throw new AppError(409)
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

/**
 * Returns the configuration with secrets, encrypted with a passphrase, as text. Needs and throws what
 * `configurationText` does.
 */
export const exportSealedConfiguration = async (
  ctx: Ctx,
  { body: { passphrase } }: ServiceInput<typeof calls.exportSealedConfiguration>,
) => {
  requireMethod(ctx, 'settings.write')
  return { configuration: await configurationText(ctx, passphrase) }
}

const textIn = async ({ file }: { file: { bytes(): Promise<Buffer> } }) =>
  new TextDecoder('utf-8', { ignoreBOM: false }).decode(await file.bytes())

/** Returns the changes that an import would make. Needs and throws what `importText` does. */
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

/** Returns whether the caller sees all of the configuration, as an export contains only what its caller sees. */
export function seesWholeConfiguration(ctx: Ctx): boolean {
  const { codes } = methodsHeld(ctx)
  return sections.every((section) => sees(codes, section))
}
