import { readFileSync } from 'node:fs'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import * as schema from '@/db/schema'
import { schemaOf, sections } from '@/lib/operations/configuration-file/sections'
import { leftOut } from '../../factories/configuration-tables'

/** Tables that no file has, and why. */
const data: Record<string, readonly string[]> = {
  'people and what they hold or did': [
    ...['users', 'user_identifiers', 'user_roles', 'user_settings', 'user_agreements', 'user_agreement_refusals'],
    'user_visits',
    ...['user_contacts', 'user_contractors', 'user_contractor_roles', 'user_pictures', 'field_pictures'],
    ...['agreement_reminders', 'dynamic_field_uniques', 'subscriptions', 'provider_links', 'oidc_consents'],
    ...['access_requests', 'access_request_roles', 'invitations', 'invitation_roles', 'notices'],
    ...['password_history', 'links', 'news', 'news_locales'],
  ],
  companies: ['organizations', 'contractors', 'contractor_organizations'],
  'what runs, and what happened': [
    ...['sessions', 'sign_in_attempts', 'sign_in_log', 'daily_counters', 'wrong_codes', 'password_failures'],
    ...['authenticator_apps', 'recovery_codes', 'passkeys'],
    ...['history', 'history_seals', 'history_unsealed', 'address_refusals', 'messages', 'digests', 'digest_items'],
    ...['idempotency_keys', 'outbox_events', 'outbox_deliveries', 'housekeeping_steps', 'runs', 'run_rows'],
    ...['oidc_records', 'oidc_answers', 'oidc_logouts', 'provider_calls', 'integration_exchanges'],
    ...['webhook_states', 'webhook_deliveries'],
    ...['monitoring_checks', 'monitoring_slots', 'monitoring_turns', 'found_versions'],
  ],
  'keys of this instance': ['sealing_keys', 'lasting_keys', 'oidc_keys', 'oidc_algorithm_keys'],
  'the license of this instance, which names its domain': ['licenses'],
  'types that other systems send': ['personnel_action_types'],
}

const tables = (Object.values(schema) as unknown[]).filter((one) => is(one, PgTable)).map(getTableConfig)
const read = readFileSync('lib/operations/configuration-file/read.ts', 'utf8')
const namesIn = (form: unknown): string[] => {
  if (form instanceof z.ZodArray) return namesIn(form.element)
  if (!(form instanceof z.ZodObject)) return []
  return Object.entries(form.shape).flatMap(([name, member]) => [name, ...namesIn(member)])
}
/** What is read by the name of its column. */
const members = new Set(sections.flatMap((section) => namesIn(schemaOf(section))))

test('each table is either configuration or data', () => {
  const listed = [...Object.keys(leftOut), ...Object.values(data).flat()]
  expect(listed.toSorted()).toEqual([...new Set(listed)].toSorted())
  expect(tables.map(({ name }) => name).toSorted()).toEqual(listed.toSorted())
})

test('each column of configuration is in a file, or it is said why not', () => {
  const always = ['id', 'created_at', 'updated_at']
  const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const missing = tables
    .filter(({ name }) => name in leftOut)
    .flatMap(({ name, columns }) =>
      columns
        .map((column) => column.name)
        .filter((column) => {
          const plain = column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
          const isRead = members.has(camel(plain)) || new RegExp(`\\b${camel(plain)}\\b`).test(read)
          return !always.includes(plain) && !(plain in (leftOut[name] ?? {})) && !isRead
        })
        .map((column) => `${name}.${column}`),
    )
  expect(missing).toEqual([])
})
