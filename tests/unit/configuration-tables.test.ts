import { readFileSync } from 'node:fs'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import * as schema from '@/db/schema'

/** Columns of configuration that a file leaves out, and why. What every table has stands in `always`. */
const left: Record<string, Record<string, string>> = {
  locales: { immutable: 'shipped' },
  locale_texts: {},
  device_types: { immutable: 'shipped' },
  network_aliases: {},
  network_alias_ips: { order: 'the order of the list' },
  access_list_entries: {},
  documents: { version_at: 'when this instance raised the version' },
  document_locales: { version: 'earlier versions are what people of this instance agreed to' },
  banners: {},
  domains: { base: 'the name (base) says it' },
  domain_aliases: { order: 'the order of the list' },
  domain_locales: { order: 'the order of the list' },
  domain_agreements: { order: 'the order of the list' },
  domain_documents: { order: 'the order of the list' },
  draft_sources: { order: 'the order of the list' },
  domain_texts: {},
  platform_pictures: {},
  applications: {
    immutable: 'shipped',
    actions_access: 'follows from the type',
    version: 'found by the monitoring',
    order: 'in the section of orders',
  },
  application_domains: {},
  application_service_methods: {},
  methods: { kind: 'methods of the platform ship with it' },
  oidc_clients: { type: 'follows from how it proves itself' },
  roles: { immutable: 'shipped' },
  role_methods: {},
  authentication_schemas: { base: 'shipped', priority: 'in the section of orders' },
  authentication_schema_roles: {},
  dynamic_field_tabs: { view_type: 'shipped', systemic: 'shipped', order: 'in the section of orders' },
  dynamic_field_subtypes: { systemic: 'shipped', order: 'the order of the list' },
  dynamic_fields: {
    systemic: 'shipped',
    immutable: 'shipped',
    actions_access: 'shipped',
    order: 'in the section of orders',
  },
  providers: { client_secret: 'left out, or sealed' },
  provider_domains: {},
  provider_syncs: { type: 'there is one', actor_id: 'a person' },
  provider_mappers: {},
  settings: {},
  notify_methods: {},
  integration_syncs: { actor_id: 'a person' },
}

/** Tables that no file has, and why. */
const data: Record<string, readonly string[]> = {
  'people and what they hold or did': [
    ...['users', 'user_identifiers', 'user_roles', 'user_settings', 'user_agreements', 'user_agreement_refusals'],
    ...['user_contacts', 'user_contractors', 'user_contractor_roles', 'user_pictures', 'field_pictures'],
    ...['agreement_reminders', 'dynamic_field_uniques', 'subscriptions', 'provider_links', 'oidc_consents'],
    ...['access_requests', 'access_request_roles', 'invitations', 'invitation_roles', 'notices'],
    ...['password_history', 'links', 'news', 'news_locales'],
  ],
  companies: ['organizations', 'contractors', 'contractor_organizations'],
  'what runs, and what happened': [
    ...['sessions', 'sign_in_attempts', 'sign_in_log', 'daily_counters', 'wrong_codes', 'password_failures'],
    ...['history', 'history_seals', 'history_unsealed', 'address_refusals', 'messages', 'digests', 'digest_items'],
    ...['idempotency_keys', 'outbox_events', 'outbox_deliveries', 'housekeeping_steps', 'runs', 'run_rows'],
    ...['oidc_records', 'oidc_answers', 'oidc_logouts', 'provider_calls', 'integration_exchanges'],
    ...['monitoring_checks', 'monitoring_slots', 'monitoring_turns', 'found_versions'],
  ],
  'receivers of this instance: a copy of it would tell them of its own people': [
    'webhooks',
    'webhook_states',
    'webhook_deliveries',
  ],
  'keys of this instance': ['sealing_keys', 'lasting_keys', 'oidc_keys', 'oidc_algorithm_keys'],
  'the license of this instance, which names its domain': ['licenses'],
  'types that other systems send': ['personnel_action_types'],
}

const tables = (Object.values(schema) as unknown[]).filter((one) => is(one, PgTable)).map(getTableConfig)
const read = readFileSync('lib/operations/configuration/read.ts', 'utf8')

test('each table is either configuration or data', () => {
  const listed = [...Object.keys(left), ...Object.values(data).flat()]
  expect(listed.toSorted()).toEqual([...new Set(listed)].toSorted())
  expect(tables.map(({ name }) => name).toSorted()).toEqual(listed.toSorted())
})

test('each column of configuration is in a file, or it is said why not', () => {
  const always = ['id', 'created_at', 'updated_at']
  const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const missing = tables
    .filter(({ name }) => name in left)
    .flatMap(({ name, columns }) =>
      columns
        .map((column) => column.name)
        .filter((column) => {
          const plain = column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
          return (
            !always.includes(plain) && !(plain in (left[name] ?? {})) && !new RegExp(`\\b${camel(plain)}\\b`).test(read)
          )
        })
        .map((column) => `${name}.${column}`),
    )
  expect(missing).toEqual([])
})
