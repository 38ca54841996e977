import { expect, test } from 'vitest'
import { dropCached } from '@/lib/base/cache/cache'
import { listFailedJobs, retryJobs } from '@/lib/operations/failed-work/service'
import { overview } from '@/lib/operations/overview/service'
import { thirty } from '../../factories/at-once'
import { createContext } from '../../factories/context'
import { failJob } from '../../factories/failed-jobs'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const administrator = () => createContext({ methods: ['monitoring.read', 'monitoring.write'] })

test('thirty people run jobs again at once: one of them does, all jobs wait once', async () => {
  const task = await failJob('Error: away', 3)
  const ctx = await administrator()
  const run = () =>
    retryJobs(ctx, { params: { task } }).then(
      ({ retried }) => `retried ${retried}`,
      ({ status }) => String(status),
    )
  expect((await thirty(run)).toSorted()).toEqual([...Array.from({ length: 29 }, () => '404'), 'retried 3'])
  expect((await listFailedJobs(ctx)).jobs.filter((job) => job.task === task)).toEqual([])
})

test('the reason of a failure shows no addresses, and no values of a query', async () => {
  const task = await failJob('Error: no answer of a@b.example at https://hook.example/x?key=1\nparams: secret')
  const { jobs } = await listFailedJobs(await administrator())
  expect(jobs.find((job) => job.task === task)?.error).toBe('Error: no answer of (e-mail) at (address)')
})

test('only who may read monitoring sees them, and only who may write it runs them again', async () => {
  const task = await failJob()
  const [stranger, reader] = [
    await createContext({ methods: [] }),
    await createContext({ methods: ['monitoring.read'] }),
  ]
  await expect(listFailedJobs(stranger)).rejects.toMatchObject({ status: 403 })
  await expect(retryJobs(reader, { params: { task } })).rejects.toMatchObject({ status: 403 })
  dropCached('overview')
  const seen = async (...methods: string[]) =>
    (await overview({ methods: new Set(methods) })).matters.find(({ code }) => code === 'failedJobs')?.count
  expect(await seen('monitoring.read')).toBeGreaterThan(0)
  expect(await seen('roles.read')).toBeUndefined()
})
