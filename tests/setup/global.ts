import type { TestProject } from 'vitest/node'
import { migrateDatabase } from '@/db/migrate'
import { bundleForTests } from './bundled'
import { failOnSkip } from './machine'
import { startServices } from './services'

declare module 'vitest' {
  interface ProvidedContext {
    /** The addresses of the database that each test file clones. */
    ownerUrl: string
    appUrl: string
    redisUrl: string
  }
}

/** Starts PostgreSQL and Redis for a run, and migrates the database that the test files clone. */
export default async function setup(project: TestProject) {
  const embedded = await startServices('test')
  try {
    await bundleForTests()
    const { DATABASE_URL: appUrl, DATABASE_OWNER_URL: ownerUrl, REDIS_URL: redisUrl } = embedded.env
    if (redisUrl === 'mock:') failOnSkip('redis-server', 'integration tests run on an imitation of Redis')
    for (const note of embedded.notes) console.log(note)
    await migrateDatabase({ ownerUrl, appUrl, log: { info: () => {}, warn: console.warn } })
    project.provide('ownerUrl', ownerUrl)
    project.provide('appUrl', appUrl)
    project.provide('redisUrl', redisUrl)
  } catch (error) {
    await embedded.stop()
    throw error
  }
  return () => embedded.stop()
}
