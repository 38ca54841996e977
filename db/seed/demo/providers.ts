import type { Transaction } from '@/db/client'
import { providers } from '@/db/schema/people'
import { providerMappers, providerSyncs } from '@/db/schema/providers'
import { runRows, runs } from '@/db/schema/runs'
import { encrypt } from '@/lib/base/crypto/encryption'
import { stableId } from '@/lib/base/runtime/stable-id'
import { demoNow } from './random'

const idOf = (name: string) => stableId(`provider ${name}`)
const hour = 3_600_000

type DemoRow = { title: string; fault?: [code: string, params: Record<string, string>]; input: Record<string, unknown> }
type DemoProvider = {
  code: string
  name: string
  type: 'keycloak' | 'wapps'
  url: string
  realm: string | null
  mappers: [before: string, after: string][]
  rows: DemoRow[]
  /** What the run says of itself beside its rows. */
  run: { state: 'done' | 'stopped'; phase: string; fault: string | null; known: number; gone: number; hours: number }
}

const written = (title: string, action: string, changed: string[] = []): DemoRow => ({
  title,
  input: { externalId: stableId(`person ${title}`), action, changed },
})
const failed = (title: string, code: string, fieldCode: string): DemoRow => ({
  title,
  fault: [code, { fieldCode }],
  input: { externalId: stableId(`person ${title}`), action: 'failed' },
})
const goneRow = (title: string): DemoRow => ({
  title,
  input: { externalId: stableId(`person ${title}`), goneId: stableId(`gone ${title}`) },
})

const demoProviders: DemoProvider[] = [
  {
    code: 'polaris',
    name: 'Каталог «Полярис»',
    type: 'keycloak',
    url: 'https://sso.polaris.example',
    realm: 'staff',
    mappers: [
      ['username', 'login'],
      ['email', 'email'],
      ['firstName', 'firstName'],
      ['lastName', 'lastName'],
    ],
    rows: [
      written('Абрамова Инна', 'created'),
      written('Белов Артём', 'changed', ['lastName']),
      written('Власова Дарья', 'same'),
      written('Гусев Пётр', 'same'),
      failed('Захарова Нина', 'errorUnique', 'email'),
      failed('Мирзоев Тимур', 'syncRequired', 'mobile'),
      failed('svc-backup', 'errorLogin', 'login'),
    ],
    run: { state: 'done', phase: 'done', fault: null, known: 3, gone: 0, hours: 5 },
  },
  {
    code: 'branch',
    name: 'Филиал в Перми',
    type: 'wapps',
    url: 'https://id.perm.polaris.example',
    realm: null,
    mappers: [
      ['login', 'login'],
      ['email', 'email'],
      ['lastName', 'lastName'],
    ],
    rows: [
      written('Дятлов Степан', 'same'),
      written('Ежова Полина', 'same'),
      goneRow('Жданов Олег'),
      goneRow('Зимина Ольга'),
    ],
    run: { state: 'stopped', phase: 'guard', fault: 'syncDropGuard', known: 4, gone: 2, hours: 26 },
  },
]

/** Stores two directories, each with mappers and a run that is over. Their runs are started by hand: nobody answers. */
export async function seedProviders(tx: Transaction) {
  for (const { code, name, type, url, realm, mappers, rows, run } of demoProviders) {
    const [id, syncId, runId] = [idOf(code), idOf(`${code} sync`), idOf(`${code} run`)]
    const at = new Date(demoNow.getTime() - run.hours * hour)
    const clientSecret = encrypt('providers', `${code}-demo-secret`, id)
    const values = { id, name, type, url, realm, clientId: 'portal', clientSecret, enabled: true, createdAt: at }
    await tx.insert(providers).values(values)
    await tx.insert(providerSyncs).values({ id: syncId, providerId: id, enabled: true, createdAt: at, updatedAt: at })
    await tx.insert(providerMappers).values(
      mappers.map(([before, after]) => ({
        ...{ id: idOf(`${code} ${after}`), syncId, before, after, createdAt: at },
        ...{ type: 'users-base' as const, name: `${before} → ${after}` },
      })),
    )
    const of = { syncId, providerId: id, trigger: 'manual', dry: false, starter: 'Анна Ковалёва', actorId: null }
    const origin = { host: 'localhost', locale: 'ru', ip: '', requestId: 'demo' }
    const counts = { read: rows.length, pages: 1, off: 0, known: run.known, gone: run.gone }
    const faults = rows.filter(({ fault }) => fault).length
    const waiting = rows.filter(({ input }) => 'goneId' in input).length
    const end = new Date(at.getTime() + 95_000)
    await tx.insert(runs).values({
      id: runId,
      kind: 'providers',
      subject: syncId,
      state: run.state,
      fault: run.fault,
      options: { ...of, origin, phase: run.phase, cursor: null, ...counts },
      total: rows.length,
      done: rows.length - faults - waiting,
      failed: faults,
      worked: 95,
      createdAt: at,
      resumedAt: at,
      finishedAt: run.state === 'done' ? end : null,
      updatedAt: end,
    })
    await tx.insert(runRows).values(
      rows.map(({ title, fault, input }, n) => ({
        ...{ runId, row: n + 1, title, input },
        state: fault ? ('failed' as const) : 'goneId' in input ? ('waiting' as const) : ('done' as const),
        fault: fault?.[0] ?? null,
        params: fault?.[1] ?? null,
      })),
    )
  }
}
