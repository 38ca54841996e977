import { isDeepStrictEqual } from 'node:util'
import { webhookSecret } from '@/lib/applications/webhooks/configure'
import { decrypt } from '@/lib/base/crypto/encryption'
import { secretOf as exchangeSecret } from '@/lib/exchanges/exchanges/exchange'
import { secretOf as providerSecret } from '@/lib/identity-providers/connections/service'
import { definitions, type SettingId } from '@/lib/site/settings/definitions'
import { withAddress } from './addresses'
import { type Content, keyOf, type Section, sections } from './format'
import { compareTexts, type Names, namesOf, sorted } from './names'
import { ordersOf } from './orders'
import { ownTexts, type RedundantTexts } from './own-texts'
import { selectConfiguration } from './queries'
import type { Encrypt } from './sealing'

/** From this level on, nothing of an application can be changed (docs/rules/access.md#applications). */
const unchangeable = 2

const iso = (date: Date | null) => date?.toISOString() ?? null

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
  const name = (kind: keyof Names, id: string | null) => (id === null ? null : (names[kind].get(id) ?? id))
  const named = (kind: keyof Names, ids: readonly string[]) => ids.map((id) => names[kind].get(id) ?? id)
  const picture = (id: string | null) => {
    const pictureRow = id === null ? undefined : rows.pictures.find((object) => object.id === id)
    return pictureRow ? { type: pictureRow.type, data: pictureRow.content.toString('base64') } : null
  }
  const secret = (text: () => string, place: string) => {
    if (!encryptSecret) return null
    const plaintext = text()
    return plaintext ? encryptSecret(plaintext, place) : null
  }
  const twins = new Map<string, string[]>()
  const entries = new Map<string, Map<string, Stored>>(sections.map((section) => [section, new Map()]))
  const content = {} as Record<Section, unknown[]>

  function add<S extends Section, R>(
    section: S,
    items: readonly R[],
    toObject: (row: R) => Content[S][number],
    storedOf: (row: R) => Stored,
  ) {
    const usedKeys = new Set<string>()
    const objects = items.flatMap((row) => {
      const object = toObject(row)
      const key = keyOf(section, object as never)
      // of several equal entries of an address list only the first is in the file
      if (usedKeys.has(key)) {
        twins.set(key, [...(twins.get(key) ?? []), storedOf(row).id])
        return []
      }
      usedKeys.add(key)
      entries.get(section)?.set(key, storedOf(row))
      return [{ key, one: object }]
    })
    content[section] = objects.sort((a, b) => compareTexts(a.key, b.key)).map(({ one: object }) => object)
  }
  const immutable = ({ id, immutable: shipped }: { id: string; immutable: boolean }) => ({ id, shipped })
  const notShipped = ({ id }: { id: string }) => ({ id, shipped: false })
  const texts = (items: readonly { key: string; text: string }[]) =>
    Object.fromEntries([...items].sort((a, b) => compareTexts(a.key, b.key)).map(({ key, text }) => [key, text]))

  add(
    'locales',
    rows.locales,
    ({ id, code, name: title, enabled }) => ({
      code,
      name: title,
      enabled,
      texts: texts(written.ofLocales.filter(({ localeId }) => localeId === id)),
    }),
    immutable,
  )
  add(
    'deviceTypes',
    rows.deviceTypes,
    ({ code, name: title, nameEn }) => ({ code, name: title, nameEn: nameEn ?? '' }),
    immutable,
  )
  add(
    'networkAliases',
    rows.networkAliases,
    ({ id, name: title, comment }) => ({
      name: title,
      comment,
      ips: rows.networkAliasIps
        .filter(({ aliasId }) => aliasId === id)
        .map(({ ip, comment: note }) => ({ ip, comment: note })),
    }),
    notShipped,
  )
  add(
    'accessLists',
    // of two equal entries the enabled one counts
    rows.accessListEntries.toSorted((object, second) => Number(second.enabled) - Number(object.enabled)),
    ({ list, enabled, ip, aliasId, dateFrom, dateTo, comment }) => ({
      ...{ list, enabled, ip, alias: name('networkAliases', aliasId) },
      ...{ dateFrom: iso(dateFrom), dateTo: iso(dateTo), comment },
    }),
    notShipped,
  )
  add(
    'documents',
    rows.documents,
    ({ id, code, type, enabled, adminVisible, format, version }) => ({
      ...{ code, type, enabled, adminVisible, format, version },
      texts: rows.documentTexts
        .filter(({ documentId }) => documentId === id)
        .map(({ localeId, name: title, linkName, content: body }) => ({
          ...{ locale: name('locales', localeId) as string, name: title, linkName, content: body.trim().split('\n') },
        }))
        .sort((a, b) => compareTexts(a.locale, b.locale)),
    }),
    notShipped,
  )
  add(
    'banners',
    rows.banners,
    ({ code, title, text, link, visible }) => ({ code, title, text, link: link ?? '', visible }),
    notShipped,
  )
  add(
    'domains',
    rows.domains,
    (row) => {
      const items = <R extends { domainId: string }>(domainRows: readonly R[]) =>
        domainRows.filter(({ domainId }) => domainId === row.id)
      const { type, enabled, comment, imageCode, styleTemplate, publicDocsUrl, baseSettings, cookie, timeZone } = row
      const limits = Object.entries(row.devicesIdAttributes).map(([id, kinds]): [string, typeof kinds] => [
        name('deviceTypes', id) as string,
        kinds,
      ])
      return {
        ...{ name: names.domains.get(row.id) ?? '', type, enabled, comment },
        aliases: items(rows.domainAliases).map(({ host }) => host),
        ...{
          imageCode,
          styleTemplate,
          publicDocsUrl: publicDocsUrl ?? '',
          baseSettings,
          cookie,
          timeZone: timeZone ?? '',
        },
        identifiers: Object.fromEntries(limits.sort(([a], [b]) => compareTexts(a, b))),
        documents: named(
          'documents',
          items(rows.domainDocuments).map(({ documentId }) => documentId),
        ),
        agreements: items(rows.domainAgreements).map(
          ({ documentId, menuVisible, footerVisible, loginRequired, profileVisible }) => ({
            ...{ document: name('documents', documentId) as string, menuVisible, footerVisible },
            ...{ loginRequired, profileVisible },
          }),
        ),
        locales: items(rows.domainLocales).map(({ localeId, enabled: localeEnabled, settings }) => ({
          locale: name('locales', localeId) as string,
          enabled: localeEnabled,
          ...{ projectTitle: settings.projectTitle, projectName: settings.projectName, copyright: settings.copyright },
          ...{ siteName: settings.siteName, siteLink: settings.siteLink, banners: named('banners', settings.banners) },
          technical: settings.technical.map(({ title, text, link, mobile = '' }) => ({ title, text, link, mobile })),
        })),
        messages: sorted(
          new Set(items(written.ofDomains).map(({ localeId }) => name('locales', localeId) as string)),
        ).map((locale) => ({
          locale,
          texts: texts(items(written.ofDomains).filter(({ localeId }) => name('locales', localeId) === locale)),
        })),
        sources: named(
          'domains',
          rows.draftSources.filter(({ draftId }) => draftId === row.id).map(({ domainId }) => domainId),
        ),
        logo: picture(row.logoId),
      }
    },
    ({ id, base }) => ({ id, shipped: base }),
  )
  const changeable = rows.applications.filter(({ actionsAccess }) => actionsAccess < unchangeable)
  add(
    'applications',
    changeable,
    (row) => ({
      ...{ code: row.code, type: row.type, enabled: row.enabled, name: row.name, nameEn: row.nameEn ?? '' },
      ...{ description: row.description, descriptionEn: row.descriptionEn ?? '', url: row.url },
      ...{ menuVisible: row.menuVisible, parent: name('applications', row.parentId) },
      ...{ swaggerUrl: row.swaggerUrl ?? '', helpUrl: row.helpUrl ?? '' },
      ...{ compodocUrl: row.compodocUrl ?? '', techUrl: row.techUrl ?? '', ip: row.ip },
      domains: sorted(
        named(
          'domains',
          rows.applicationDomains.filter((object) => object.applicationId === row.id).map(({ domainId }) => domainId),
        ),
      ),
      icon: picture(row.iconId),
      methods: rows.methods
        .filter(({ applicationId }) => applicationId === row.id)
        .map(({ code, name: title, nameEn }) => ({ code, name: title, nameEn: nameEn ?? '' }))
        .sort((a, b) => compareTexts(a.code, b.code)),
      serviceMethods: sorted(
        named(
          'methods',
          rows.serviceMethods.filter((object) => object.applicationId === row.id).map(({ methodId }) => methodId),
        ),
      ),
    }),
    immutable,
  )
  add(
    'clients',
    rows.clients.filter(({ applicationId }) => changeable.some(({ id }) => id === applicationId)),
    (row) => ({
      ...{ clientId: row.clientId, application: name('applications', row.applicationId) as string, name: row.name },
      ...{ enabled: row.enabled, authMethod: row.authMethod },
      secret: secret(
        () => (row.secrets[0] ? decrypt('clients', row.secrets[0].sealed, row.clientId) : ''),
        `clients[${row.clientId}]`,
      ),
      ...{ applicationType: row.applicationType, redirectUris: row.redirectUris, allowedOrigins: row.allowedOrigins },
      ...{ postLogoutRedirectUris: row.postLogoutRedirectUris, backchannelLogoutUri: row.backchannelLogoutUri },
      ...{ grantTypes: row.grantTypes, accessTokenLifespan: row.accessTokenLifespan },
      ...{ refreshTokenLifespan: row.refreshTokenLifespan, idTokenAlg: row.idTokenAlg },
      ...{ pkceRequired: row.pkceRequired, jwks: row.jwks, jwksUri: row.jwksUri },
    }),
    notShipped,
  )
  add(
    'webhooks',
    rows.webhooks.filter(({ applicationId }) => changeable.some(({ id }) => id === applicationId)),
    (row) => ({
      ...{ application: name('applications', row.applicationId) as string, webhook: names.webhooks.get(row.id) ?? '' },
      ...{ name: row.name, url: row.url, types: row.types },
      enabled: row.enabled || row.disabledReason !== null, // on, unless a person switched it off
      secret: secret(
        () => withAddress(webhookSecret(row), row.url),
        `webhooks[${name('applications', row.applicationId)}/${names.webhooks.get(row.id)}]`,
      ),
    }),
    notShipped,
  )
  add(
    'roles',
    rows.roles,
    (row) => ({
      ...{ role: names.roles.get(row.id) ?? '', name: row.name, nameEn: row.nameEn ?? '', comment: row.comment },
      ...{ commentEn: row.commentEn ?? '', roleType: row.roleType, enabled: row.enabled },
      methods: sorted(
        named(
          'methods',
          rows.roleMethods.filter(({ roleId }) => roleId === row.id).map(({ methodId }) => methodId),
        ),
      ),
    }),
    ({ id, code }) => ({ id, shipped: code !== null }),
  )
  add(
    'authenticationSchemas',
    rows.schemas,
    (row) => ({
      ...{ code: row.code, name: row.name, nameEn: row.nameEn ?? '', comment: row.comment, active: row.active },
      ...{ firstFactor: row.firstFactor, secondFactor: row.secondFactor },
      roles: sorted(
        named(
          'roles',
          rows.schemaRoles.filter(({ schemaId }) => schemaId === row.id).map(({ roleId }) => roleId),
        ),
      ),
    }),
    ({ id, base }) => ({ id, shipped: base }),
  )
  add(
    'fieldTabs',
    rows.tabs,
    ({ type, id, title, titleEn, active }) => ({ type, code: id, title, titleEn: titleEn ?? '', active }),
    ({ id, systemic }) => ({ id, shipped: systemic }),
  )
  add(
    'fieldBlocks',
    rows.blocks,
    ({ type, code, tabId, title, titleEn, active }) => ({
      type,
      code,
      tab: tabId,
      title,
      titleEn: titleEn ?? '',
      active,
    }),
    ({ code, systemic }) => ({ id: code, shipped: systemic }),
  )
  add(
    'fields',
    rows.fields,
    (row) => ({
      ...{ type: row.type, code: row.code, block: row.subtype, title: row.title, titleEn: row.titleEn ?? '' },
      ...{ comment: row.comment, active: row.active, fieldType: row.fieldType, adminRequired: row.adminRequired },
      ...{ adminVisible: row.adminVisible, adminEdit: row.adminEdit, profileRequired: row.profileRequired },
      ...{ profileVisible: row.profileVisible, profileEdit: row.profileEdit },
      ...{ integrationRequired: row.integrationRequired, unique: row.unique, multiple: row.multiple },
      ...{ pattern: row.pattern, minLength: row.minLength, maxLength: row.maxLength, latin: row.latin },
      items: row.items
        .toSorted((a, b) => a.order - b.order)
        .map(({ code, value, valueEn = '' }) => ({ code, value, valueEn })),
    }),
    ({ id, systemic, immutable: fixed }) => ({ id, shipped: systemic || fixed }),
  )
  const mapped = (type: string, after: string, value: string) =>
    type === 'users-access' ? (name(after === 'method' ? 'methods' : 'roles', value) as string) : value
  add(
    'providers',
    rows.providers,
    (row) => {
      const sync = rows.providerSyncs.find(({ providerId }) => providerId === row.id)
      return {
        ...{ name: row.name, type: row.type, enabled: row.enabled, url: row.url, realm: row.realm ?? '' },
        clientId: row.clientId,
        secret: secret(() => providerSecret(row), `providers[${row.name}]`),
        ...{ scopes: row.scopes, emailDomains: row.emailDomains },
        domains: sorted(
          named(
            'domains',
            rows.providerDomains.filter(({ providerId }) => providerId === row.id).map(({ domainId }) => domainId),
          ),
        ),
        synchronization: {
          ...{ enabled: sync?.enabled ?? false, periodUnit: sync?.periodUnit ?? 0 },
          ...{ periodAmount: sync?.periodAmount ?? ('hours' as const), limit: sync?.syncLimit ?? 50 },
        },
        mappers: rows.providerMappers
          .filter(({ syncId }) => syncId === sync?.id)
          .sort((a, b) => compareTexts(a.name, b.name))
          .map(({ name: title, type, enabled, before, after, customAttributes, absent, attributes }) => ({
            ...{ name: title, type, enabled, before, after, customAttributes, absent },
            attributes: attributes.map(({ attribute, value }) => ({ attribute, value: mapped(type, after, value) })),
          })),
      }
    },
    notShipped,
  )
  const userRole = rows.roles.find(({ code }) => code === 'user')?.id ?? null
  const changedSettings = rows.settings.filter(({ id, value }) => {
    if (!Object.hasOwn(definitions, id)) return false
    if (id === 'accessRequestsNotifyRecipients') return (value as { emails: string[] }).emails.length > 0
    return !isDeepStrictEqual(value, id === 'defaultUserRole' ? userRole : definitions[id as SettingId].default)
  })
  const settingOf = (id: string, value: unknown) => {
    if (id === 'defaultUserRole') return name('roles', value as string)
    if (id === 'reverseProxy') return sorted(named('networkAliases', value as string[]))
    // people are data: only the addresses that somebody entered are configuration
    if (id === 'accessRequestsNotifyRecipients') return { emails: (value as { emails: string[] }).emails }
    return value
  }
  add('settings', changedSettings, ({ id, value }) => ({ setting: id, value: settingOf(id, value) }), notShipped)
  add(
    'notifyMethods',
    rows.notifyMethods,
    ({ id, enabled }) => ({ channel: id, enabled }),
    ({ id }) => ({ id, shipped: true }),
  )
  add(
    'exchanges',
    rows.exchanges,
    (row) => ({
      ...{ key: row.key, enabled: row.enabled, url: row.url, auth: row.auth, authName: row.authName },
      secret: secret(() => exchangeSecret(row), `exchanges[${row.key}]`),
      ...{ periodUnit: row.periodUnit, periodAmount: row.periodAmount, pageSize: row.pageSize },
    }),
    ({ id }) => ({ id, shipped: true }),
  )
  add(
    'orders',
    ordersOf(rows),
    (object) => object,
    ({ of: items }) => ({ id: items, shipped: true }),
  )
  return {
    content: content as Content,
    names,
    stored: Object.fromEntries(entries) as Current['stored'],
    twins,
    hidden: written.hidden,
  }
}
