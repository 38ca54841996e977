import { eq } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { integrationExchanges, integrationSyncs } from '@/db/schema/integration'
import { runRows, runs } from '@/db/schema/runs'
import { encrypt } from '@/lib/base/crypto/encryption'
import { stableId } from '@/lib/base/runtime/stable-id'
import type { IntegrationKey } from '@/lib/exchanges/exchange-journal/keys'
import { demoNow } from './random'

const idOf = (name: string) => stableId(`integration ${name}`)
const origin = { host: 'localhost', locale: 'ru', ip: '', requestId: 'demo' }

type DemoExchange = {
  key: IntegrationKey
  url: string
  method: 'GET' | 'POST'
  hoursAgo: number
  run: { state: 'done' | 'stopped'; fault: string | null; done: number }
  faults: { title: string; code: string; params: Record<string, string> }[]
  answers: { httpStatus: number | null; fault: string | null; request: string; response: string | null }[]
}

const page = JSON.stringify({
  items: [{ externalCode: 'C-1042', name: 'ООО «Ромашка»', inn: '7701234567', kpp: '770101001' }],
  next: null,
})

const demoExchanges: DemoExchange[] = [
  {
    key: 'contractors.import',
    url: 'https://erp.polaris.example/api/contractors',
    method: 'GET',
    hoursAgo: 3,
    run: { state: 'done', fault: null, done: 9 },
    faults: [
      { title: 'ООО «Север»', code: 'errorInn', params: { column: 'inn' } },
      { title: 'C-1077', code: 'errorEmpty', params: { column: 'name' } },
    ],
    answers: [
      {
        httpStatus: 200,
        fault: null,
        request:
          'GET https://erp.polaris.example/api/contractors?limit=100\naccept: application/json\nauthorization: ***\n\n',
        response: `HTTP 200\ncontent-type: application/json\n\n${page}`,
      },
    ],
  },
  {
    key: 'users.export',
    url: 'https://hr.polaris.example/api/users',
    method: 'POST',
    hoursAgo: 27,
    run: { state: 'stopped', fault: 'integrationConnection', done: 0 },
    faults: [],
    answers: [503, null].map((httpStatus) => ({
      httpStatus,
      fault: httpStatus === null ? 'integrationConnection' : 'integrationAnswer',
      request:
        'POST https://hr.polaris.example/api/users\naccept: application/json\nauthorization: ***\n\n{"items":[]}',
      response: httpStatus === null ? null : 'HTTP 503\ncontent-type: text/plain\n\noverloaded',
    })),
  },
]

/** Sets up two exchanges, each with a run that is over and its requests. They are started by hand: nobody answers. */
export async function seedIntegration(tx: Transaction) {
  for (const { key, url, method, hoursAgo, run, faults, answers } of demoExchanges) {
    const at = new Date(demoNow.getTime() - hoursAgo * 3_600_000)
    const later = (seconds: number) => new Date(at.getTime() + seconds * 1_000)
    const [sync] = await tx.select().from(integrationSyncs).where(eq(integrationSyncs.key, key))
    if (!sync) continue
    const secret = encrypt('integration', 'demo-token-of-the-platform', sync.id)
    await tx
      .update(integrationSyncs)
      .set({ url, enabled: true, auth: 'bearer', secret })
      .where(eq(integrationSyncs.id, sync.id))
    const runId = idOf(key)
    const of = { syncId: sync.id, trigger: 'manual', starter: 'Анна Ковалёва', actorId: null, origin }
    await tx.insert(runs).values({
      id: runId,
      kind: 'integration',
      subject: sync.id,
      state: run.state,
      fault: run.fault,
      options: {
        ...of,
        phase: run.state === 'done' ? 'rows' : 'pages',
        cursor: null,
        pages: run.state === 'done' ? 1 : 0,
      },
      total: run.done + faults.length,
      done: run.done,
      failed: faults.length,
      worked: 4,
      createdAt: at,
      resumedAt: at,
      finishedAt: run.state === 'done' ? later(4) : null,
      updatedAt: later(4),
    })
    if (faults.length > 0)
      await tx.insert(runRows).values(
        faults.map(({ title, code, params }, n) => ({
          ...{ runId, row: n + 4, title, params, fault: code, state: 'failed' as const },
          input: { externalId: '' },
        })),
      )
    await tx.insert(integrationExchanges).values(
      answers.map((answer, n) => ({
        ...answer,
        ...{ id: idOf(`${key} ${n}`), key, runId, method, url, duration: 180 + n * 340 },
        status: answer.fault ? ('error' as const) : ('success' as const),
        createdAt: later(n),
        updatedAt: later(n + 1),
      })),
    )
  }
}
