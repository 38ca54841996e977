import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { StoredOptions } from '@/lib/account-administration/user-import/import-rows'
import { StoredMessage } from '@/lib/base/mail-and-sms/content'
import { Pending } from '@/lib/directory-sync/provider-sign-in/pending'
import { SyncOptions, SyncPerson } from '@/lib/directory-sync/provider-sync/options'
import { ExchangeOptions, ExchangeRow } from '@/lib/exchanges/exchanges/options'
import { RegistrationRequest } from '@/lib/joining/registration/deliver-link'
import { RegistrationData } from '@/lib/joining/registration/rules'
import { Outcome, Trial } from '@/lib/openid/trials/trial-store'
import { StoredOutcome } from '@/lib/request/forms/outcome'
import { AttemptState } from '@/lib/sign-in/attempts/machine'
import { RequestedCodes } from '@/lib/sign-in/attempts/requested-schemas'
import { SessionToken } from '@/lib/sign-in/sessions/cookie'
import { CachedSession } from '@/lib/sign-in/sessions/service'
import { RunOrigin } from '@/lib/site/domains/run-context'
import { caseNumbers, eachRound } from '../../factories/random-cases'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
type State = { schema: z.ZodType; samples: Json[]; optional: string[]; keepsMore?: true }

const names = { fio: 'Ковалёва Ольга', lastName: 'Ковалёва', firstName: 'Ольга', middleName: '' }
const registration = { names, agreed: [{ documentId: 'terms', version: 2 }], asked: '+79110000001' }

/** Every state that one version stores and another may read, by the file that reads it. */
const states: Record<string, State> = {
  'lib/sign-in/attempts/machine.ts': {
    schema: AttemptState,
    samples: [
      {
        idAttribute: 'email',
        identifier: 'anna@polaris.example',
        typed: 'Anna@polaris.example',
        stage: 'second',
        first: ['credentials'],
        second: ['sms_code', 'email_code'],
        secondRequired: true,
        proven: ['credentials'],
        schema: 'two-factors',
        begun: ['sms_code'],
        path: '/platform/profile',
        provider: { id: 'x', subject: 'y', sid: null },
      },
    ],
    optional: ['schema', 'begun', 'provider'],
    keepsMore: true,
  },
  'lib/request/forms/outcome.ts': {
    schema: StoredOutcome,
    samples: [
      {
        form: 'password',
        status: 400,
        code: 'errorForm',
        data: { errorList: [{ field: 'password', code: 'signInFailed' }] },
        requestId: 'x',
        ends: 1_790_000_060_000,
        until: 1_790_000_000_000,
        values: [['remember', 'on']],
      },
      {
        form: 'request',
        status: 200,
        code: '',
        ends: 1_790_000_060_000,
        data: { resendAt: 1_790_000_000_000, again: false },
        values: [['email', 'anna@polaris.example']],
      },
    ],
    optional: ['requestId', 'until'],
    keepsMore: true,
  },
  'lib/sign-in/sessions/service.ts': {
    schema: CachedSession,
    samples: [
      {
        userId: 'x',
        login: 'anna',
        firstName: 'Анна',
        lastName: 'Петрова',
        temporary: false,
        navMini: null,
        pagination: 20,
        columns: { PlatformRoles: { code: true } },
        lang: 'ru',
        cookieConsent: true,
        methods: ['users.read'],
        methodIds: ['x'],
        expiresAt: 1,
        at: 1,
        behind: 1,
      },
    ],
    optional: ['at', 'behind', 'columns'],
  },
  'lib/sign-in/sessions/cookie.ts': {
    schema: SessionToken,
    samples: [{ sid: 'x', exp: 1, iat: 1, jti: 'x', schema: 'base', proven: ['credentials'] }],
    optional: ['schema', 'proven', 'iat', 'jti'],
    keepsMore: true,
  },
  'lib/joining/registration/service.ts': { schema: RegistrationData, samples: [registration], optional: ['asked'] },
  'lib/joining/registration/deliver-link.ts': {
    schema: RegistrationRequest,
    samples: [{ ...registration, email: 'anna@polaris.example' }],
    optional: ['asked'],
  },
  'lib/base/mail-and-sms/content.ts': {
    schema: StoredMessage,
    samples: [
      { text: '1234' },
      { subject: 's', text: 't', html: 'h', project: 'p', host: 'h', unsubscribe: '', letter: { locale: 'ru' } },
    ],
    optional: ['project', 'host', 'unsubscribe', 'letter'],
  },
  'lib/account-administration/user-import/import-rows.ts': {
    schema: StoredOptions,
    samples: [
      {
        plan: { head: ['login'], columns: ['field.login'], by: 'login', mode: 'both', sendLinks: false },
        origin: { host: 'localhost', locale: 'ru', ip: '192.0.2.1', requestId: 'x' },
      },
    ],
    optional: [],
  },
  'lib/directory-sync/provider-sync/options.ts': {
    schema: SyncOptions,
    samples: [
      {
        ...{ syncId: 'x', providerId: 'y', trigger: 'manual', dry: false, starter: null, actorId: null },
        origin: { host: 'localhost', locale: 'ru', ip: '192.0.2.1', requestId: 'x' },
        ...{ phase: 'read', cursor: '50', read: 50, pages: 1, off: 0, known: 0, gone: 0 },
      },
    ],
    optional: [],
  },
  'lib/directory-sync/provider-sign-in/pending.ts': {
    schema: Pending,
    samples: [{ providerId: 'x', domainId: 'y', nonce: 'n', verifier: 'v', path: '/platform/profile', link: null }],
    optional: [],
  },
  'lib/openid/trials/trial-store.ts': {
    schema: Trial,
    samples: [
      {
        ...{ applicationId: 'x', clientId: 'y', scope: 'openid', query: 'client_id=y', nonce: 'n', verifier: 'v' },
        at: '2026-11-25T12:00:00.000Z',
      },
    ],
    optional: [],
  },
  'the outcome of a trial': {
    schema: Outcome,
    samples: [
      {
        ...{ applicationId: 'x', clientId: 'y', scope: 'openid', at: '2026-11-25T12:00:00.000Z', error: null },
        ...{ idToken: { sub: 'z' }, userinfo: { sub: 'z' } },
      },
    ],
    optional: [],
  },
  'lib/exchanges/exchanges/options.ts': {
    schema: ExchangeOptions,
    samples: [
      {
        ...{ syncId: 'x', trigger: 'manual', starter: null, actorId: null, phase: 'pages', cursor: null, pages: 0 },
        origin: { host: 'localhost', locale: 'ru', ip: '192.0.2.1', requestId: 'x' },
      },
    ],
    optional: [],
  },
  'a row of an exchange': {
    schema: ExchangeRow,
    samples: [{ externalId: 'x', item: { externalCode: 'x' } }],
    optional: ['item'],
  },
  'a row of a synchronization': {
    schema: SyncPerson,
    samples: [{ externalId: 'x', values: { login: 'anna' }, roles: [], action: 'changed', userId: 'y', changed: [] }],
    optional: ['values', 'roles', 'action', 'userId', 'changed', 'broken', 'rolesUnread', 'proven', 'moved', 'notes'],
  },
  'lib/site/domains/run-context.ts': {
    schema: RunOrigin,
    samples: [{ host: 'localhost', locale: 'ru', ip: '192.0.2.1', requestId: 'x' }],
    optional: [],
  },
  'lib/sign-in/attempts/requested-schemas.ts': {
    schema: RequestedCodes,
    samples: [['base', 'two-factors']],
    optional: [],
  },
}

/** Other places that read JSON, and why another version can't disturb them. */
const otherReaders: Record<string, string> = {
  'lib/account-administration/user-import/plan.ts': 'a field of a request',
  'lib/my-account/passkeys/service.ts': 'a proof of 15 minutes; one of another form is answered like a late one',
  'lib/sign-in/attempts/forms.ts': 'a field of a form that a script fills in',
  'lib/my-account/factors/service.ts': 'a proof of 15 minutes; one of another form is answered like a late one',
  'lib/operations/configuration-file/format.ts': 'a file of one version; a file of another one is refused in words',
  'lib/identity-providers/connections/directory.ts': 'an answer of a directory, read by name',
  'lib/exchanges/exchanges/exchange.ts': 'an answer of another system, read by a schema that ignores other members',
  'lib/exchanges/exchanges/mask.ts': 'a message, read to take its secrets out',
  'lib/openid/clients/manage.ts': 'public keys that an administrator pastes',
  'lib/openid/server/clients.ts': 'the header of somebody’s signed token, RFC 7515',
  'lib/openid/token-store/rotation.ts':
    'read by name; a request that another version notes otherwise gets no answer again',
  'lib/openid/server/acr.ts': 'a request’s own parameter',
  'lib/openid/token-store/encrypted-record.ts': 'the library takes the fields that it knows; ours are read by name',
  'lib/openid/token-store/short-lived.ts': 'the same',
  'lib/openid/keys/service.ts': 'a JWK, RFC 7517: members that are not understood are ignored',
  'lib/base/http/idempotency.ts': 'an answer that is given as it was',
  'lib/base/http/read.ts': 'a request’s own body',
  'lib/base/runtime/original-frames.ts': 'a source map of this version’s own build',
  'lib/base/cache/shared-gauge.ts': 'numbers with the labels by which they are stored',
  'lib/base/cache/live-events.ts': 'read by name; what is not known goes to pages, which know it or not',
  'lib/base/runtime/env.ts': 'the environment',
  'lib/operations/diagnostics/versions.ts': 'the answer of another product, read by name',
  'lib/operations/license/format.ts': 'a signed license: members that are not known are ignored',
  'lib/sign-in/sessions/changes.ts': 'read by name',
  'lib/openid/server/view.ts': 'a header of the same request, in the same process',
}

/** Every JSON column, and how it handles values of another version. */
const columns: Record<string, string> = {
  'dynamic-fields.items': 'read by name',
  'entry.state': 'lib/sign-in/attempts/machine.ts',
  'entry.data': 'lib/joining/registration/service.ts',
  'notices.values': 'values of a text, named by it; a kind that is not known is not shown',
  'oidc.secrets': 'read by name; an older secret is stored again as it was',
  'webhooks.secrets': 'read by name; an older secret is stored again as it was',
  'oidc.jwks': 'RFC 7517',
  'operations.previous': 'shown as it is',
  'operations.current': 'shown as it is',
  'operations.counter': 'read by name',
  'operations.payload': 'handed to the handler as it is, which reads it by name',
  'operations.marks': 'read by name, joined with what is there',
  'providers.attributes': 'read by name',
  'people.columns': 'read by name, joined with what is there',
  'people.values': 'read by name',
  'runs.options':
    'lib/account-administration/user-import/import-rows.ts, lib/directory-sync/provider-sync/options.ts, lib/exchanges/exchanges/options.ts',
  'runs.input': 'read by name',
  'runs.params': 'values of an error’s text',
  'platform.devicesIdAttributes': 'read by name',
  'platform.settings': 'read by name',
  'subscriptions.choices': 'by name, what is not known is ignored and kept',
  'platform.value': 'each setting by its own rule; one that is not known or not understood has its default',
}

const folder = join(import.meta.dirname, '../../..')
const filesOf = (path: string): string[] =>
  readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? filesOf(`${path}/${entry.name}`)
      : /\.tsx?$/.test(entry.name)
        ? [`${path}/${entry.name}`]
        : [],
  )

describe('the list of stored states', () => {
  test('names every file that reads JSON', () => {
    const reading = filesOf('lib').filter((file) => readFileSync(join(folder, file), 'utf8').includes('JSON.parse('))
    const listed = new Set([...Object.keys(states), ...Object.keys(otherReaders)])
    expect(reading.filter((file) => !listed.has(file))).toEqual([])
    expect(Object.keys(otherReaders).filter((file) => !reading.includes(file))).toEqual([])
  })

  test('names every column of JSON', () => {
    const jsonColumns = filesOf('db/schema').flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/^ +(\w+): jsonb\(/gm)].map(
        ([, name]) => `${file.replace(/.*\/|\.ts$/g, '')}.${name}`,
      ),
    )
    expect([...new Set(jsonColumns)].sort()).toEqual(Object.keys(columns).sort())
  })
})

const random = caseNumbers(20_252)
const strange = (): Json => [null, true, 7, 'нечто', [], ['x', 1], {}, { deep: { deeper: [1] } }][random(8)] as Json

/** The same value with unknown fields in some of its objects, on any level. */
function withMore(value: Json): Json {
  if (Array.isArray(value)) return value.map(withMore)
  if (value === null || typeof value !== 'object') return value
  const inner = Object.entries(value).map(([name, each]) => [name, withMore(each)])
  const more = Array.from({ length: random(3) }, () => [`later${random(1000)}`, strange()])
  return Object.fromEntries([...inner, ...more])
}

/** Returns only what the other value has too. */
function knownPart(value: unknown, like: Json): unknown {
  if (Array.isArray(like))
    return Array.isArray(value) ? value.map((each, n) => knownPart(each, like[n] as Json)) : value
  if (like === null || typeof like !== 'object' || value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name in like)
      .map(([name, each]) => [name, knownPart(each, like[name] as Json)]),
  )
}

describe.each(Object.entries(states))('the state that %s reads', (_, { schema, samples, optional, keepsMore }) => {
  test('is read with unknown fields of another version', () => {
    for (const sample of samples)
      for (const _ of eachRound(200)) {
        const written = withMore(sample)
        const read = schema.safeParse(written)
        expect(read.error, JSON.stringify(written)).toBeUndefined()
        expect(knownPart(read.data, sample)).toEqual(knownPart(schema.parse(sample), sample))
        if (keepsMore) expect(Object.keys(read.data as object).sort()).toEqual(Object.keys(written as object).sort())
      }
  })

  test('is read without fields that another version didn’t know', () => {
    for (const sample of samples) {
      const there = optional.filter((name) => name in (sample as object))
      for (let subset = 0; subset < 2 ** there.length; subset++) {
        const withoutNew = Object.fromEntries(
          Object.entries(sample as object).filter(
            ([name]) => ((subset >> there.indexOf(name)) & 1) === 0 || !there.includes(name),
          ),
        )
        const written = Array.isArray(sample) ? sample : withoutNew
        expect(schema.safeParse(written).error, JSON.stringify(written)).toBeUndefined()
      }
    }
  })

  test('requires only fields that are listed as old', () => {
    if (!(schema instanceof z.ZodObject)) return
    const asked = Object.entries(schema.shape)
      .filter(([, field]) => !(field as z.ZodType).isOptional())
      .map(([name]) => name)
    const always = Object.keys(samples[0] as object).filter((name) => !optional.includes(name))
    expect(asked.sort()).toEqual(always.sort())
  })
})
