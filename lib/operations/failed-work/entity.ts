import { defineEntity, number } from '@/lib/base/audit/entity'

/** Jobs of one kind, by its name. */
export const jobEntity = defineEntity('jobs', { retried: number('history.jobs.retried') }, { area: 'monitoring' })
