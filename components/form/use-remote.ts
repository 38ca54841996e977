'use client'

import { useLocale } from 'next-intl'
import { useMemo } from 'react'
import type { searchMethods, searchRoles } from '@/lib/access/roles/contract'
import type { searchContacts } from '@/lib/accounts/people-search/contract'
import type { listApplications } from '@/lib/applications/applications/contract'
import type { CallInput } from '@/lib/base/contracts/contract'
import { call } from '@/lib/base/http/client'
import { localName } from '@/lib/base/i18n/local-name'
import type { listManagedContractors } from '@/lib/companies/access-requests/contract'
import type { searchContractors } from '@/lib/companies/contractors/contract'
import type { searchOrganizations } from '@/lib/companies/organizations/contract'
import type { searchDocuments } from '@/lib/documents/documents/contract'
import type { searchNetworkAliases } from '@/lib/network/network-aliases/contract'
import type { searchChangers } from '@/lib/operations/history/contract'
import type { searchBanners } from '@/lib/site/banners/contract'
import type { searchDomains } from '@/lib/site/domains/contract'
import { bannerOption, documentOption, domainOption } from './option-of'
import type { Search } from './use-search'

/**
 * Creates the search of a kind of object in a language; the second parameter has what the call takes in addition to the
 * text.
 */
type Remote = (locale: string, parameters: Readonly<Record<string, string>>) => Search

type Changed = Pick<CallInput<typeof searchChangers>['query'], 'entity' | 'id'>

const textIn = (text: string) => (text ? { searchValue: text } : {})

type Find = (query: { searchValue?: string; ids?: string[] }, options?: { signal: AbortSignal }) => ReturnType<Search>

/** A search by text that also finds the labels of values: its call takes `searchValue` or `ids`. */
const byTextOrIds = (find: Find): Search =>
  Object.assign((text: string, signal: AbortSignal) => find(textIn(text), { signal }), {
    named: (ids: string[]) => find({ ids }),
  })

const rolesOf = (locale: string, roleType?: 'systemic' | 'organizational' | 'contractor') =>
  byTextOrIds(async (query, options) => {
    const { roles } = await call<typeof searchRoles>(
      { method: 'GET', path: '/setting/roles/search' },
      { query: { ...query, ...(roleType ? { roleType } : {}) } },
      options,
    )
    return roles.map((row) => ({ value: row.id, label: localName(row, locale) }))
  })

type ApplicationFilter = NonNullable<NonNullable<CallInput<typeof listApplications>['query']>['filter']>

const applicationsOf =
  (locale: string, filter: ApplicationFilter = {}): Search =>
  async (text, signal) => {
    const { applications } = await call<typeof listApplications>(
      { method: 'GET', path: '/setting/applications' },
      { query: { filter: { ...filter, ...(text ? { search: text } : {}) } } },
      { signal },
    )
    return applications.map((row) => ({ value: row.id, label: localName(row, locale), note: row.code }))
  }

const remotes = {
  applications: (locale) => applicationsOf(locale),
  /** Applications that group others in menus. */
  applicationGroups: (locale) => applicationsOf(locale, { type: 'virtual' }),
  organizations: (locale) =>
    byTextOrIds(async (query, options) => {
      const { organizations } = await call<typeof searchOrganizations>(
        { method: 'GET', path: '/setting/organizations/search' },
        { query },
        options,
      )
      return organizations.map((row) => ({ value: row.id, label: localName(row, locale) }))
    }),
  contractors: () =>
    byTextOrIds(async (query, options) => {
      const { contractors } = await call<typeof searchContractors>(
        { method: 'GET', path: '/setting/contractors/search' },
        { query },
        options,
      )
      return contractors.map(({ id, name, inn }) => ({ value: id, label: name, ...(inn ? { note: inn } : {}) }))
    }),
  systemicRoles: (locale) => rolesOf(locale, 'systemic'),
  systemicMethods: (locale) =>
    byTextOrIds(async (query, options) => {
      const { methods } = await call<typeof searchMethods>(
        { method: 'GET', path: '/setting/roles/methods/search' },
        { query: { ...query, accessType: 'systemic' } },
        options,
      )
      return methods.map((row) => ({ value: row.id, label: localName(row, locale), note: row.code }))
    }),
  organizationalRoles: (locale) => rolesOf(locale, 'organizational'),
  contractorRoles: (locale) => rolesOf(locale, 'contractor'),
  roles: (locale) => rolesOf(locale),
  networkAliases: () =>
    byTextOrIds(async (query, options) => {
      const { networks } = await call<typeof searchNetworkAliases>(
        { method: 'GET', path: '/setting/network-aliases/search' },
        { query },
        options,
      )
      return networks.map(({ id, name }) => ({ value: id, label: name }))
    }),
  banners: () =>
    byTextOrIds(async (query, options) => {
      const { banners } = await call<typeof searchBanners>(
        { method: 'GET', path: '/setting/banners/search' },
        { query },
        options,
      )
      return banners.map(bannerOption)
    }),
  /** Agreements or other documents; the parameters have their type. */
  documents: (_, parameters) =>
    byTextOrIds(async (query, options) => {
      const { documents } = await call<typeof searchDocuments>(
        { method: 'GET', path: '/setting/documents/search' },
        { query: { ...query, ...parameters } },
        options,
      )
      return documents.map(documentOption)
    }),
  domains: () =>
    byTextOrIds(async (query, options) => {
      const { domains } = await call<typeof searchDomains>(
        { method: 'GET', path: '/setting/domains/search' },
        { query },
        options,
      )
      return domains.map(domainOption)
    }),
  people: () =>
    byTextOrIds(async (query, options) => {
      const { contacts } = await call<typeof searchContacts>(
        { method: 'GET', path: '/setting/users/contacts/search' },
        { query },
        options,
      )
      return contacts.map(({ userId, fullName, email }) => ({
        value: userId,
        label: fullName || email || userId,
        ...(email && fullName ? { note: email } : {}),
      }))
    }),
  /** The contractors that the person manages. */
  managedContractors: () => async (text, signal) => {
    const { contractors } = await call<typeof listManagedContractors>(
      { method: 'GET', path: '/master-account/contractors' },
      { query: text ? { filter: { search: text } } : {} },
      { signal },
    )
    return contractors.map(({ id, name, inn }) => ({ value: id, label: name, ...(inn ? { note: inn } : {}) }))
  },
  /** People who changed an object, whose entity and id the parameters have, or any object. */
  changers: (_, parameters) => async (text, signal) => {
    const { changers } = await call<typeof searchChangers>(
      { method: 'GET', path: '/setting/history/changers/search' },
      { query: { ...(parameters as Changed), ...textIn(text) } },
      { signal },
    )
    return changers.map(({ id, name }) => ({ value: id, label: name }))
  },
} satisfies Record<string, Remote>

/** Kinds of objects that the server finds by name; data, so that a page can name one in a filter of its list. */
export type RemoteName = keyof typeof remotes

const noParameters = {}

/** Returns the search of a kind of object, for a combobox or a filter: the server searches while the person types. */
export function useRemote(name: RemoteName, parameters: Readonly<Record<string, string>> = noParameters): Search {
  const locale = useLocale()
  const key = JSON.stringify(parameters)
  return useMemo(() => (remotes[name] as Remote)(locale, JSON.parse(key)), [name, locale, key])
}
