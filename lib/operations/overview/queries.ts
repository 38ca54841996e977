import { type SQL, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { administrators } from '@/db/held-roles'
import { accessRequests } from '@/db/schema/access-requests'
import { sessions } from '@/db/schema/entry'
import { integrationSyncs } from '@/db/schema/integration'
import { history, messages, outboxDeliveries, outboxEvents } from '@/db/schema/operations'
import { providers, users } from '@/db/schema/people'
import {
  applications,
  authenticationSchemas,
  documentLocales,
  documents,
  domainAgreements,
  domainLocales,
  domains,
} from '@/db/schema/platform'
import { providerSyncs } from '@/db/schema/providers'
import { runs } from '@/db/schema/runs'
import { isStranded } from '@/lib/base/events/delivery/housekeeping'
import { isDeadJob } from '@/lib/base/jobs/jobs'

type Since = { failed: Date; stuck: Date }

/** Counts the synchronizations of directories whose newest batch job meets a condition, without dry runs. */
const syncsWhere = (condition: SQL) => sql`
    (select count(*)::int from ${providerSyncs} s join ${providers} p on p.id = s.provider_id and p.enabled
      where s.enabled and exists (select from (
        select r.state, r.failed, coalesce((r.options ->> 'noted')::int, 0) as noted from ${runs} r
        where r.kind = 'providers' and r.subject = s.id::text and coalesce(r.options ->> 'dry', 'false') <> 'true'
        order by r.created_at desc, r.id desc limit 1) newest
        where ${condition}))`

/** Counts the exchanges with other systems whose newest batch job meets a condition. */
const exchangesWhere = (condition: SQL) => sql`
    (select count(*)::int from ${integrationSyncs} s where s.enabled and exists (
      select from (select r.state, r.fault, r.failed from ${runs} r
        where r.kind = 'integration' and r.subject = s.id::text
        order by r.created_at desc, r.id desc limit 1) newest
      where ${condition}))`

/**
 * Returns the numbers of the alerts, in one query: failed messages and reused tokens since `failed`, and messages that
 * have been queued since before `stuck`. Each is found by an index, however many accounts and sessions there are.
 */
export async function selectAlertCounts({ failed, stuck }: Since) {
  const enabledAdministrators = sql`${users} u
    where u.enabled and u.id = any(array(select * from ${administrators} administrators))`
  const { rows } = await db().execute<Record<string, number>>(sql`select
    (select count(*)::int from ${enabledAdministrators} and u.temporary) as "temporaryAdministrators",
    (select count(*)::int from ${enabledAdministrators} and not u.temporary) as "namedAdministrators",
    (select count(*)::int from ${messages} where status = 'failed' and created_at > ${failed}) as "failedMessages",
    (select count(*)::int from ${messages} where status = 'queued' and created_at < ${stuck}) as "stuckMessages",
    (select count(*)::int from ${outboxDeliveries} where state = 'dead') as "deadEvents",
    (select count(*)::int from ${outboxDeliveries} join ${outboxEvents} on ${outboxEvents.id} = ${outboxDeliveries.eventId}
      where ${isStranded()}) as "strandedEvents",
    (select count(*)::int from graphile_worker.jobs where ${isDeadJob}) as "failedJobs",
    (select count(*)::int from ${history} h
      where h.entity = 'oidcClients' and h.field = 'reused' and h.date > ${failed}) as "reusedTokens",
    (select count(*)::int from ${accessRequests} where status = 'considered') as "waitingRequests",
    (select count(*)::int from ${authenticationSchemas}
      where (active or base) and ('sms_code' = any(first_factor) or 'sms_code' = any(second_factor))) as "smsSchemas",
    (select count(*)::int from ${domains} d where (d.enabled or d.base) and d.type <> 'draft' and not d.base_settings
      and not exists (select from ${domainLocales} dl where dl.domain_id = d.id and dl.enabled)) as "muteDomains",
    (select count(distinct doc.id)::int from ${domainAgreements} da
      join ${documents} doc on doc.id = da.document_id and doc.enabled
      join ${domains} d on d.id = da.domain_id and d.enabled
      join ${domainLocales} dl on dl.domain_id = d.id and dl.enabled
      where not exists (select from ${documentLocales} t
        where t.document_id = doc.id and t.version = doc.version and t.locale_id = dl.locale_id)) as "untranslatedAgreements",
    ${syncsWhere(sql`newest.state = 'stopped'`)} as "failedSyncs",
    ${syncsWhere(sql`newest.state <> 'stopped' and newest.failed + newest.noted > 0`)} as "partialSyncs",
    ${exchangesWhere(sql`newest.state = 'stopped' and newest.fault is not null`)} as "failedExchanges",
    ${exchangesWhere(sql`newest.state <> 'stopped' and newest.failed > 0`)} as "partialExchanges"`)
  const [row] = rows
  if (!row) throw new Error('the overview returned no row')
  return row as Record<
    | 'temporaryAdministrators'
    | 'namedAdministrators'
    | 'failedMessages'
    | 'stuckMessages'
    | 'deadEvents'
    | 'strandedEvents'
    | 'failedJobs'
    | 'reusedTokens'
    | 'waitingRequests'
    | 'smsSchemas'
    | 'muteDomains'
    | 'untranslatedAgreements'
    | 'failedSyncs'
    | 'partialSyncs'
    | 'failedExchanges'
    | 'partialExchanges',
    number
  >
}

/**
 * Returns the figures of the overview, in one query; people are active if they were here after `active`. All accounts
 * and the disabled ones are counted in indexes; for the enabled ones PostgreSQL would read the whole table.
 */
export async function selectFigures({ active, now }: { active: Date; now: Date }) {
  const { rows } = await db().execute<Record<'people' | 'active' | 'services' | 'domains', number>>(sql`select
    (select count(*)::int from ${users}) - (select count(*)::int from ${users} where not enabled) as "people",
    (select count(distinct user_id)::int from ${sessions}
      where ended_at is null and expires_at > ${now} and last_access_at > ${active}) as "active",
    (select count(*)::int from ${applications} where enabled and menu_visible) as "services",
    (select count(*)::int from ${domains} where enabled and type <> 'draft') as "domains"`)
  const [row] = rows
  if (!row) throw new Error('the overview returned no row')
  return row
}
