import { randomUUID } from 'node:crypto'
import { db, type Transaction } from '@/db/client'
import { domains } from '@/db/schema/platform'
import { audit } from '@/lib/base/audit/audit'
import { changing, requireUnchanged } from '@/lib/base/audit/change'
import { requireVersion } from '@/lib/base/audit/conflict'
import { recorded } from '@/lib/base/audit/entity'
import { switchEnabled } from '@/lib/base/audit/switch-enabled'
import { requireAnyMethod, requireMethod } from '@/lib/base/context/access'
import type { Ctx, IdAttributeName } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { isAdministrator } from '@/lib/base/effective-rights/service'
import { emit, storeDomainEvent } from '@/lib/base/events/events'
import { env } from '@/lib/base/runtime/env'
import { AppError, type FieldError, fieldError, notFound } from '@/lib/base/runtime/errors'
import { timeZoneFrom } from '@/lib/base/text/time-zone'
import { deviceTypes } from '../device-types/service'
import { replaceLogo } from '../pictures/service'
import { settingsIn } from '../settings/service'
import {
  type DomainValues,
  domainRows,
  isLimitedTo,
  lockDomains,
  selectAdministratorIds,
  selectBaseId,
  selectDomain,
  selectDomainLocales,
  selectDomainOptions,
  selectDomainPage,
  selectExisting,
  selectTakenHosts,
  storeDomain,
} from './administration-queries'
import type * as calls from './contract'
import { domainEntity } from './entity'
import { hostName } from './host'
import { offeredKinds } from './offered'
import { styleCodes } from './style-codes'
import { styleImageAddress } from './style-templates'

/**
 * Runs a change of domains; changes run one after another. Afterwards every process reads domains and their texts anew.
 */
const change = <T>(work: (tx: Transaction) => Promise<T>) =>
  changing(['domains', 'project-info'], async (tx) => {
    await lockDomains(tx)
    return work(tx)
  })

/**
 * Runs a change of domains after which people may sign in with fewer kinds of identifier. `work` returns the kinds that
 * stay on the caller's own domain and device if some are removed there. Throws what handlers of `identifiersLimited`
 * throw.
 */
const changeIdentifiers = (ctx: Ctx, domainId: string, work: (tx: Transaction) => Promise<IdAttributeName[] | null>) =>
  change(async (tx) => {
    const before = await offeredKinds(tx)
    const ownKinds = await work(tx)
    const after = await offeredKinds(tx)
    if (ownKinds || before.some((kind) => !after.includes(kind)))
      await emit(tx, ctx, 'identifiersLimited', { domainId, before, own: ownKinds })
  })

type Limits = Pick<DomainValues, 'devicesIdAttributes'>

const fieldFaults = (faults: FieldError[]) => new AppError(400, undefined, { errorList: faults })
const iso = <R extends { updatedAt: Date }>(row: R) => ({ ...row, updatedAt: row.updatedAt.toISOString() })

/** Returns one page of domains. Needs domains.read (docs/rules/domains.md#domains). */
export async function listDomains(ctx: Ctx, { query }: ServiceInput<typeof calls.listDomains>) {
  requireMethod(ctx, 'domains.read')
  const { rows, meta } = await selectDomainPage(query, ctx.user?.pagination ?? null)
  return { domains: rows.map((row) => ({ ...iso(row), name: row.aliases[0] ?? row.comment })), meta }
}

/** Returns a whole domain. Needs domains.read. Throws 404. */
export async function readDomain(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.readDomain>) {
  requireMethod(ctx, 'domains.read')
  const domain = await selectDomain(db(), id)
  if (!domain) throw notFound()
  return iso(domain)
}

/** Returns a domain as it is stored: ids in lower case, and languages in their order, numbered from 0. */
function normalized({ base: _, domains: sources = [], ...body }: calls.DomainInput): DomainValues {
  const lower = (id: string) => id.toLowerCase()
  const limits = Object.entries(body.devicesIdAttributes).map(([id, kinds]) => [lower(id), [...new Set(kinds)]])
  return {
    ...body,
    timeZone: timeZoneFrom(body.timeZone) ?? '',
    devicesIdAttributes: Object.fromEntries(limits),
    documents: body.documents.map(lower),
    domains: body.type === 'draft' ? sources.map(lower) : [],
    agreements: body.agreements.map((row) => ({ ...row, agreementId: lower(row.agreementId) })),
    locales: body.locales
      .toSorted((first, second) => first.order - second.order)
      .map((row, order) => ({
        ...row,
        localeId: lower(row.localeId),
        order,
        settings: { ...row.settings, banners: row.settings.banners.map(lower) },
      })),
  }
}

/**
 * Throws 400 by field and index for every id that doesn't exist, every host name that another domain has, and the
 * platform's own host name unless the domain is the base domain or already has it.
 */
async function requireExisting(
  tx: Transaction,
  id: string,
  values: DomainValues,
  current?: { base: boolean; aliases: string[] },
) {
  const references = [
    ['documents', values.documents.map((itemId, index) => [itemId, `documents.${index}`])],
    ['agreements', values.agreements.map(({ agreementId }, index) => [agreementId, `agreements.${index}.agreementId`])],
    ['locales', values.locales.map(({ localeId }, index) => [localeId, `locales.${index}.localeId`])],
    [
      'banners',
      values.locales.flatMap(({ settings }, index) =>
        settings.banners.map((itemId, bannerIndex) => [itemId, `locales.${index}.settings.banners.${bannerIndex}`]),
      ),
    ],
    ['domains', values.domains.map((itemId, index) => [itemId, `domains.${index}`])],
    ['deviceTypes', Object.keys(values.devicesIdAttributes).map((itemId) => [itemId, `devicesIdAttributes.${itemId}`])],
  ] as [Parameters<typeof selectExisting>[1], [string, string][]][]
  const faults: FieldError[] = []
  for (const [kind, ids] of references) {
    const existing = await selectExisting(
      tx,
      kind,
      ids.map(([itemId]) => itemId),
    )
    for (const [itemId, field] of ids) if (!existing.has(itemId)) faults.push({ field, code: 'errorMissing' })
  }
  const takenHosts = await selectTakenHosts(tx, id, values.aliases)
  const platformHost = current?.base ? '' : hostName(new URL(env().PUBLIC_URL).host)
  for (const [index, host] of values.aliases.entries()) {
    const field = `aliases.${index}`
    if (takenHosts.includes(host)) faults.push({ field, code: 'errorUnique' })
    else if (host === platformHost && !current?.aliases.includes(host)) faults.push({ field, code: 'errorBaseHost' })
  }
  if (faults.length > 0) throw fieldFaults(faults)
}

/**
 * Throws 400 for a change after which a domain couldn't be reached, or the base domain would no longer serve as such.
 */
function requireServing(base: boolean, body: calls.DomainInput) {
  if (body.base !== undefined && body.base !== base) throw fieldError('base', 'errorBaseDomain')
  if (base && body.type === 'draft') throw fieldError('type', 'errorBaseDomain')
  if (base && !body.enabled) throw fieldError('enabled', 'errorBaseDomain')
  if (base && !body.locales.some(({ enabled }) => enabled)) throw fieldError('locales', 'errorEmpty')
  if (!base && body.type === 'other' && body.aliases.length === 0) throw fieldError('aliases', 'errorEmpty')
}

/**
 * Throws 400 if the caller's own domain would be disabled, or would offer no kind of identifier on the caller's device.
 * Returns the kinds that stay there if some are removed, otherwise null.
 */
async function requireOwnSignIn(tx: Transaction, ctx: Ctx, before: { id: string } & Limits, values: DomainValues) {
  if (!ctx.user || ctx.domain.id !== before.id) return null
  if (!values.enabled) throw fieldError('enabled', 'errorOwnDomain')
  if (values.type === 'draft') throw fieldError('type', 'errorOwnDomain')
  const device = (await deviceTypes()).find(({ code }) => code === ctx.deviceType)
  const limit = device ? values.devicesIdAttributes[device.id] : undefined
  if (!device || !limit) return null
  const { identificationLogin, identificationEmail, identificationMobile } = await settingsIn(tx)
  const enabledKinds = { login: identificationLogin, email: identificationEmail, mobile: identificationMobile }
  const remaining = limit.filter((kind) => enabledKinds[kind])
  if (remaining.length === 0) throw fieldError('devicesIdAttributes', 'errorOwnDevice')
  const kindsBefore = before.devicesIdAttributes[device.id]
  return kindsBefore?.every((kind) => !enabledKinds[kind] || remaining.includes(kind)) ? null : remaining
}

/**
 * Throws 403 forbiddenHost with the new host names unless the caller is an administrator; otherwise notifies the other
 * administrators of them, because mails and the sign-in page lead there (docs/rules/domains.md#new-host-names).
 */
async function requireHosts(
  tx: Transaction,
  ctx: Ctx,
  domainId: string,
  values: DomainValues,
  hostsBefore: string[] = [],
) {
  const hosts = values.aliases.filter((host) => !hostsBefore.includes(host))
  if (hosts.length === 0) return
  if (!(await isAdministrator(tx, ctx)))
    throw new AppError(403, 'forbiddenHost', {
      errorList: hosts.map((host) => ({ field: `aliases.${values.aliases.indexOf(host)}`, code: 'errorReservedHost' })),
    })
  const userIds = await selectAdministratorIds(tx, ctx.user?.id ?? null)
  const domain = values.comment || (values.aliases[0] ?? '')
  await storeDomainEvent(tx, ctx, 'hostsAdded', { userIds, domainId, domain, hosts })
}

/**
 * Creates a domain; returns its id. Needs domains.write. Throws 400 by field and 403 forbiddenHost
 * (docs/rules/domains.md#host-names).
 */
export async function createDomain(ctx: Ctx, { body }: ServiceInput<typeof calls.createDomain>) {
  requireMethod(ctx, 'domains.write')
  const id = randomUUID()
  const values = normalized(body)
  await change(async (tx) => {
    requireServing(false, body)
    if (body.type === 'draft' && !body.domains) values.domains = [await selectBaseId(tx)]
    await requireExisting(tx, id, values)
    await requireHosts(tx, ctx, id, values)
    await storeDomain(tx, id, values, ctx.now())
    await audit(tx, ctx, domainEntity, id, null, recorded(domainEntity, { ...values, logoId: null }))
  })
  return { id }
}

/** Returns the values with the stored languages that the body doesn't name, disabled, except the `removed` ones. */
function withUnnamedLocales(
  values: DomainValues,
  stored: calls.LocaleEntry[],
  removed: readonly string[] = [],
): DomainValues {
  const excluded = new Set([
    ...values.locales.map(({ localeId }) => localeId),
    ...removed.map((id) => id.toLowerCase()),
  ])
  const unnamed = stored
    .filter(({ localeId }) => !excluded.has(localeId))
    .map((row, index) => ({ ...row, enabled: false, order: values.locales.length + index }))
  return { ...values, locales: [...values.locales, ...unnamed] }
}

/**
 * Replaces a domain; languages that the body doesn't name keep their texts and are disabled
 * (docs/rules/domains.md#changing-a-domain). Needs domains.write. Throws 404, 400 by field, also for a change that
 * would shut out the caller (docs/rules/domains.md#own-domain), 403 forbiddenHost, 409 domainLockout, and 409 if
 * somebody has saved it since `updatedAt`.
 */
export async function updateDomain(ctx: Ctx, { params: { id }, body }: ServiceInput<typeof calls.updateDomain>) {
  requireMethod(ctx, 'domains.write')
  const { updatedAt, removedLocales, ...input } = body
  const normalizedInput = normalized(input)
  await changeIdentifiers(ctx, id, async (tx) => {
    const row = await selectDomain(tx, id)
    const before = await requireVersion(tx, ctx, domainEntity, { id, row, updatedAt })
    requireServing(before.base, input)
    const values = withUnnamedLocales(normalizedInput, before.locales, removedLocales)
    const ownKinds = await requireOwnSignIn(tx, ctx, before, values)
    await requireExisting(tx, id, values, before)
    await requireHosts(tx, ctx, id, values, before.aliases)
    const after = recorded(domainEntity, { ...values, logoId: before.logoId })
    if (await audit(tx, ctx, domainEntity, id, recorded(domainEntity, before), after))
      await storeDomain(tx, id, values, ctx.now())
    return ownKinds
  })
  return {}
}

/** Throws 409 domainBase or domainOwn for a domain that must stay enabled (docs/rules/domains.md#own-domain). */
function requireDispensable(ctx: Ctx, { id, base }: { id: string; base: boolean }) {
  if (base) throw new AppError(409, 'domainBase')
  if (ctx.user && ctx.domain.id === id) throw new AppError(409, 'domainOwn')
}

/**
 * Enables or disables a domain. Needs domains.write. Throws 404, 409 for the base domain and the caller's own, and
 * domainLockout.
 */
export async function enableDomain(ctx: Ctx, input: ServiceInput<typeof calls.enableDomain>) {
  requireMethod(ctx, 'domains.write')
  await changeIdentifiers(ctx, input.params.id, async (tx) => {
    const row = await selectDomain(tx, input.params.id)
    const check = (enabled: boolean) => {
      if (row && !enabled) requireDispensable(ctx, row)
    }
    await switchEnabled(tx, ctx, input, { table: domains, entity: domainEntity, check })
    return null
  })
  return {}
}

/**
 * Deletes a domain. Needs domains.write. Throws 404, 409 domainLockout, and 409 for the base domain, the caller's own,
 * and one to which an application or a provider is limited: without the limit it would be available on all domains.
 */
export async function deleteDomain(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.deleteDomain>) {
  requireMethod(ctx, 'domains.write')
  await changeIdentifiers(ctx, id, async (tx) => {
    const before = requireUnchanged(await selectDomain(tx, id))
    requireDispensable(ctx, before)
    if (await isLimitedTo(tx, id)) throw new AppError(409, 'domainUsed')
    await domainRows.remove(tx, id)
    await replaceLogo(tx, ctx, { before: before.logoId, logo: null })
    await audit(tx, ctx, domainEntity, id, recorded(domainEntity, before), null)
    return null
  })
  return {}
}

/** Returns domains to choose from. Needs the read method of an area whose screens offer them. */
export async function searchDomains(ctx: Ctx, { query }: ServiceInput<typeof calls.searchDomains>) {
  requireAnyMethod(ctx, ['domains.read', 'applications.read', 'libraries.read', 'providers.read'])
  return { domains: await selectDomainOptions(query) }
}

/** Returns the languages and texts of the base domain. Needs domains.read. */
export async function readBaseSettings(ctx: Ctx) {
  requireMethod(ctx, 'domains.read')
  return { locales: await selectDomainLocales(db(), 'base') }
}

/** Returns the styles that a domain may have. Needs domains.read (docs/rules/domains.md#styles). */
export async function listStyleTemplates(ctx: Ctx) {
  requireMethod(ctx, 'domains.read')
  const images = (code: string) =>
    (['logo', 'miniLogo'] as const).map((name) => ({ name, url: styleImageAddress(code, name) }))
  return { templates: styleCodes.map((code) => ({ code, images: images(code) })) }
}
