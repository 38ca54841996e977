import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { ApplicationQuery } from '@/lib/applications/applications/contract'
import { ProviderQuery } from '@/lib/directory-sync/providers/contract'
import { createDocument, DocumentQuery } from '@/lib/documents/documents/contract'
import { createDynamicField } from '@/lib/fields/dynamic-fields/contract'
import { createBlacklistEntry, createWhitelistEntry, EntryQuery } from '@/lib/network/access-lists/contract'
import { ApplicationSessionQuery } from '@/lib/openid/application-sessions/contract'
import { UpdateClientPkceInput } from '@/lib/openid/clients/contract'
import { MonitoringQuery } from '@/lib/operations/monitoring/contract'
import { createAuthenticationSchema } from '@/lib/sign-in/schema-administration/contract'
import { BannerQuery, createBanner } from '@/lib/site/banners/contract'
import { createDomain, DomainQuery } from '@/lib/site/domains/contract'
import { createLocale, LocaleQuery } from '@/lib/site/locales/contract'

const faultsOf = (schema: z.ZodType | undefined, value: unknown) =>
  schema?.safeParse(value).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? []

describe('a list that names no order', () => {
  test.each([
    ['domains', DomainQuery, 'comment', 'asc'],
    ['languages', LocaleQuery, 'name', 'asc'],
    ['providers', ProviderQuery, 'name', 'asc'],
    ['entries of the address lists', EntryQuery, 'date', 'desc'],
    ['documents', DocumentQuery, 'date', 'desc'],
    ['banners', BannerQuery, 'date', 'desc'],
    ['checks', MonitoringQuery, 'status', 'desc'],
    ['sessions of applications', ApplicationSessionQuery, 'start', 'desc'],
    ['applications', ApplicationQuery, 'order', 'asc'],
  ])('%s', (_, query, sortBy, sort) => expect(query.parse({})).toMatchObject({ sortBy, sort, page: 1 }))
})

describe('what a new object has unless its body says otherwise', () => {
  const text = { localeId: crypto.randomUUID(), name: 'Правила', linkName: 'правила', content: '# Текст' }
  const field = { type: 'users', subtype: 'personal', code: 'x', title: 'Поле', fieldType: 'input' }
  test.each<[string, z.ZodType | undefined, object, object]>([
    ['a domain', createDomain.body, {}, { type: 'other', baseSettings: false, enabled: true, cookie: true }],
    [
      'a document',
      createDocument.body,
      { type: 'document', locales: [text] },
      { enabled: true, adminVisible: true, format: 'md' },
    ],
    ['a banner', createBanner.body, { title: 'Работы' }, { visible: true }],
    ['a language', createLocale.body, { name: 'Қазақша', code: 'kk' }, { enabled: true }],
    ['a schema', createAuthenticationSchema.body, { name: 'Схема', firstFactor: ['credentials'] }, { active: true }],
    ['a field', createDynamicField.body, field, { active: true, adminVisible: true, multiple: false }],
    ['an entry of the whitelist', createWhitelistEntry.body, { ip: '192.0.2.0/24' }, { enabled: true, dateTo: null }],
  ])('%s', (_, schema, body, has) => expect(schema?.parse(body)).toMatchObject(has))
})

test('the id of a client has at most 64 letters, digits, underscores and hyphens', () => {
  for (const clientId of ['a', 'A_b-9', 'x'.repeat(64)])
    expect(faultsOf(UpdateClientPkceInput, { clientId, required: true })).toEqual([])
  for (const clientId of ['x'.repeat(65), 'a b', 'ключ', 'a.b', ''])
    expect(faultsOf(UpdateClientPkceInput, { clientId, required: true })[0], clientId).toMatch(/^clientId /)
})

test.each([createWhitelistEntry.body, createBlacklistEntry.body])('an entry ends after it begins', (schema) => {
  const at = (dateFrom: string | null, dateTo: string | null) => faultsOf(schema, { ip: '192.0.2.1', dateFrom, dateTo })
  const [day, next] = ['2026-11-25T00:00:00.000Z', '2026-11-26T00:00:00.000Z']
  for (const [from, to] of [
    [day, next],
    [null, day],
    [day, null],
  ] as const)
    expect(at(from, to)).toEqual([])
  for (const [from, to] of [
    [day, day],
    [next, day],
  ] as const)
    expect(at(from, to)).toEqual(['dateTo errorPeriod'])
})
