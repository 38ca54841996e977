import { webhookSecret } from '@/lib/applications/webhooks/configure'
import { decrypt } from '@/lib/base/crypto/encryption'
import { secretOf as exchangeSecret } from '@/lib/exchanges/exchanges/exchange'
import { secretOf as providerSecret } from '@/lib/identity-providers/connections/service'
import { withAddress } from './addresses'
import { membersOf, type Others } from './members'
import { compareTexts, type Names, namesOf, sorted } from './names'
import { ordersOf } from './orders'
import { ownTexts, type RedundantTexts } from './own-texts'
import { selectConfiguration } from './queries'
import type { Encrypt } from './sealing'
import {
  type Configured,
  type Content,
  keyOf,
  noSynchronization,
  placeOf,
  type Section,
  schemaOf,
  sections,
} from './sections'
import { changedSettings } from './settings'

/** From this level on, nothing of an application can be changed (docs/rules/access.md#applications). */
const unchangeable = 2

/** What is stored of an object and isn't in a file. */
type Stored = {
  id: string
  /** Shipped: it can't be deleted, also not by a file that leaves it out. */
  shipped: boolean
}
export type Current = {
  content: Content
  names: Names
  stored: { [S in Section]: Map<string, Stored> }
  /** The ids of further entries of address lists with the same key, by this key. */
  twins: Map<string, string[]>
  /** Texts of domains that no file has, because they equal the text of the language. */
  hidden: RedundantTexts[]
}

/** Returns the configuration, without its secrets or with encrypted ones. */
export async function readConfiguration(encryptSecret: Encrypt | null): Promise<Current> {
  const rows = await selectConfiguration()
  const names = namesOf(rows)
  const written = await ownTexts(rows)
  const name = (kind: keyof Names, id: string) => names[kind].get(id) ?? id
  const named = (kind: keyof Names, ids: readonly string[]) => ids.map((id) => name(kind, id))
  const picture = (id: string | null) => {
    const pictureRow = rows.pictures.find((row) => row.id === id)
    return pictureRow ? { type: pictureRow.type, data: pictureRow.content.toString('base64') } : null
  }
  const secret = (text: () => string) => (encryptSecret ? text() : null)
  const twins = new Map<string, string[]>()
  const stored = Object.fromEntries(sections.map((section) => [section, new Map()])) as Current['stored']
  const content = {} as Record<Section, unknown[]>

  /** Adds the objects of a section: each member is the column of its name, unless `others` returns it. */
  function add<S extends Section, R extends object>(
    section: S,
    items: readonly R[],
    others: (row: R) => Others<Configured<S>, R>,
    isShipped: (row: R) => boolean = () => false,
  ) {
    const objects = new Map<string, Configured<S>>()
    for (const row of items) {
      const object = membersOf(schemaOf(section), { ...row, ...others(row) }) as Configured<S>
      const key = keyOf(section, object)
      if ('secret' in object)
        object.secret = encryptSecret && object.secret ? encryptSecret(object.secret, placeOf({ section, key })) : null
      const id = 'id' in row ? String(row.id) : key
      // of several equal entries of an address list only the first is in the file
      if (objects.has(key)) twins.set(key, [...(twins.get(key) ?? []), id])
      else {
        objects.set(key, object)
        stored[section].set(key, { id, shipped: isShipped(row) })
      }
    }
    content[section] = [...objects].sort(([a], [b]) => compareTexts(a, b)).map(([, object]) => object)
  }
  const immutable = (row: { immutable: boolean }) => row.immutable
  const base = (row: { base: boolean }) => row.base
  const systemic = (row: { systemic: boolean }) => row.systemic
  const always = () => true
  const none = () => ({})
  const texts = (items: readonly { key: string; text: string }[]) =>
    Object.fromEntries(items.toSorted((a, b) => compareTexts(a.key, b.key)).map(({ key, text }) => [key, text]))

  add(
    'locales',
    rows.locales,
    ({ id }) => ({ texts: texts(written.ofLocales.filter(({ localeId }) => localeId === id)) }),
    immutable,
  )
  add('deviceTypes', rows.deviceTypes, none, immutable)
  add('networkAliases', rows.networkAliases, ({ id }) => ({
    ips: rows.networkAliasIps.filter(({ aliasId }) => aliasId === id),
  }))
  add(
    'accessLists',
    // of two equal entries the enabled one counts
    rows.accessListEntries.toSorted((object, second) => Number(second.enabled) - Number(object.enabled)),
    ({ aliasId }) => ({ alias: aliasId && name('networkAliases', aliasId) }),
  )
  add('documents', rows.documents, ({ id }) => ({
    texts: rows.documentTexts
      .filter(({ documentId }) => documentId === id)
      .map((row) => ({ ...row, locale: name('locales', row.localeId), content: row.content.trim().split('\n') }))
      .sort((a, b) => compareTexts(a.locale, b.locale)),
  }))
  add('banners', rows.banners, none)
  add(
    'domains',
    rows.domains,
    ({ id, devicesIdAttributes, logoId }) => {
      const ofDomain = <R extends { domainId: string }>(domainRows: readonly R[]) =>
        domainRows.filter(({ domainId }) => domainId === id)
      const limits = Object.entries(devicesIdAttributes).map(
        ([type, kinds]) => [name('deviceTypes', type), kinds] as const,
      )
      const ownRows = ofDomain(written.ofDomains).map((row) => ({ ...row, locale: name('locales', row.localeId) }))
      return {
        name: name('domains', id),
        aliases: ofDomain(rows.domainAliases).map(({ host }) => host),
        identifiers: Object.fromEntries(limits.sort(([a], [b]) => compareTexts(a, b))),
        documents: ofDomain(rows.domainDocuments).map(({ documentId }) => name('documents', documentId)),
        agreements: ofDomain(rows.domainAgreements).map((row) => ({
          ...row,
          document: name('documents', row.documentId),
        })),
        locales: ofDomain(rows.domainLocales).map(({ localeId, settings, ...row }) => ({
          ...{ ...row, ...settings, locale: name('locales', localeId), banners: named('banners', settings.banners) },
          technical: settings.technical.map((item) => ({ mobile: '', ...item })),
        })),
        messages: sorted(new Set(ownRows.map(({ locale }) => locale))).map((locale) => ({
          locale,
          texts: texts(ownRows.filter((row) => row.locale === locale)),
        })),
        sources: rows.draftSources.filter(({ draftId }) => draftId === id).map((row) => name('domains', row.domainId)),
        logo: picture(logoId),
      }
    },
    base,
  )
  const changeable = rows.applications.filter(({ actionsAccess }) => actionsAccess < unchangeable)
  const ofChangeable = <R extends { applicationId: string }>(applicationRows: readonly R[]) =>
    applicationRows.filter(({ applicationId }) => changeable.some(({ id }) => id === applicationId))
  add(
    'applications',
    changeable,
    ({ id, parentId, iconId }) => {
      const ofApplication = <R extends { applicationId: string | null }>(applicationRows: readonly R[]) =>
        applicationRows.filter(({ applicationId }) => applicationId === id)
      return {
        parent: parentId && name('applications', parentId),
        domains: sorted(ofApplication(rows.applicationDomains).map(({ domainId }) => name('domains', domainId))),
        icon: picture(iconId),
        methods: ofApplication(rows.methods).sort((a, b) => compareTexts(a.code, b.code)),
        serviceMethods: sorted(ofApplication(rows.serviceMethods).map(({ methodId }) => name('methods', methodId))),
      }
    },
    immutable,
  )
  add('clients', ofChangeable(rows.clients), ({ applicationId, clientId, secrets: [newest] }) => ({
    application: name('applications', applicationId),
    secret: secret(() => (newest ? decrypt('clients', newest.sealed, clientId) : '')),
  }))
  add('webhooks', ofChangeable(rows.webhooks), (row) => ({
    application: name('applications', row.applicationId),
    webhook: name('webhooks', row.id),
    enabled: row.enabled || row.disabledReason !== null, // on, unless a person switched it off
    secret: secret(() => withAddress(webhookSecret(row), row.url)),
  }))
  add(
    'roles',
    rows.roles,
    ({ id }) => ({
      role: name('roles', id),
      methods: sorted(
        rows.roleMethods.filter(({ roleId }) => roleId === id).map((row) => name('methods', row.methodId)),
      ),
    }),
    ({ code }) => code !== null,
  )
  add(
    'authenticationSchemas',
    rows.schemas,
    ({ id }) => ({
      roles: sorted(rows.schemaRoles.filter(({ schemaId }) => schemaId === id).map((row) => name('roles', row.roleId))),
    }),
    base,
  )
  add('fieldTabs', rows.tabs, ({ id }) => ({ code: id }), systemic)
  add('fieldBlocks', rows.blocks, ({ tabId }) => ({ tab: tabId }), systemic)
  add(
    'fields',
    rows.fields,
    ({ subtype, items }) => ({
      block: subtype,
      items: items.toSorted((a, b) => a.order - b.order).map((item) => ({ valueEn: '', ...item })),
    }),
    (row) => row.systemic || row.immutable,
  )
  const mapped = (type: string, after: string, value: string) =>
    type === 'users-access' ? name(after === 'method' ? 'methods' : 'roles', value) : value
  add('providers', rows.providers, (row) => {
    const sync = rows.providerSyncs.find(({ providerId }) => providerId === row.id)
    const domains = rows.providerDomains.filter(({ providerId }) => providerId === row.id)
    return {
      secret: secret(() => providerSecret(row)),
      domains: sorted(domains.map(({ domainId }) => name('domains', domainId))),
      synchronization: sync ? { ...sync, limit: sync.syncLimit } : noSynchronization,
      mappers: rows.providerMappers
        .filter(({ syncId }) => syncId === sync?.id)
        .sort((a, b) => compareTexts(a.name, b.name))
        .map(({ attributes, ...mapper }) => ({
          ...mapper,
          attributes: attributes.map((pair) => ({ ...pair, value: mapped(mapper.type, mapper.after, pair.value) })),
        })),
    }
  })
  add('settings', changedSettings(rows, names), none)
  add('notifyMethods', rows.notifyMethods, ({ id }) => ({ channel: id }), always)
  add('exchanges', rows.exchanges, (row) => ({ secret: secret(() => exchangeSecret(row)) }), always)
  add('orders', ordersOf(rows), none, always)
  return { content: content as Content, names, stored, twins, hidden: written.hidden }
}
